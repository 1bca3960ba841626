package dev.keelson.testing;

import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;

/**
 * A CA with a serving certificate for 127.0.0.1 and client certificates, as PEM files in a
 * directory.
 */
public final class TestCertificates {

  /** The encoding of a private key. */
  public enum KeyForm {
    /** {@code BEGIN PRIVATE KEY}. */
    PKCS8_RSA,
    /** {@code BEGIN PRIVATE KEY}. */
    PKCS8_EC,
    /** {@code BEGIN RSA PRIVATE KEY}. */
    PKCS1_RSA,
    /** {@code BEGIN EC PRIVATE KEY}. */
    SEC1_EC
  }

  /** A certificate and its key. */
  public record Pair(Path certificate, Path key) {}

  private static final X500Principal AUTHORITY = new X500Principal("CN=test authority");

  private final Path directory;
  private final KeyPair authorityKeys;
  private final Pair server;
  private final AtomicLong serial = new AtomicLong(1);

  private TestCertificates(Path directory) {
    this.directory = directory;
    authorityKeys = keys(KeyForm.PKCS8_EC);
    write(authority(), pem(certificate(AUTHORITY, authorityKeys, true)));
    server = issue("server", KeyForm.PKCS8_EC);
  }

  /** Creates the CA and the serving certificate in an existing directory. */
  public static TestCertificates in(Path directory) {
    return new TestCertificates(directory);
  }

  public Path authority() {
    return directory.resolve("ca.pem");
  }

  public Path serverCertificate() {
    return server.certificate();
  }

  public Path serverKey() {
    return server.key();
  }

  /** Creates a certificate for {@code name} with its key in {@code form}. */
  public Pair issue(String name, KeyForm form) {
    KeyPair keys = keys(form);
    Pair pair = new Pair(directory.resolve(name + ".pem"), directory.resolve(name + "-key.pem"));
    write(pair.certificate(), pem(certificate(new X500Principal("CN=" + name), keys, false)));
    write(pair.key(), keyPem(keys.getPrivate(), form));
    return pair;
  }

  private static KeyPair keys(KeyForm form) {
    try {
      switch (form) {
        case PKCS8_RSA, PKCS1_RSA -> {
          KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
          generator.initialize(2048);
          return generator.generateKeyPair();
        }
        case PKCS8_EC, SEC1_EC -> {
          KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
          generator.initialize(new ECGenParameterSpec("secp256r1"));
          return generator.generateKeyPair();
        }
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalArgumentException("no such form: " + form);
  }

  private X509Certificate certificate(X500Principal subject, KeyPair keys, boolean authority) {
    Instant now = Instant.now();
    try {
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              AUTHORITY,
              BigInteger.valueOf(authority ? 1 : serial.incrementAndGet()),
              Date.from(now.minus(1, ChronoUnit.HOURS)),
              Date.from(now.plus(1, ChronoUnit.DAYS)),
              subject,
              keys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(authority));
      builder.addExtension(
          Extension.subjectAlternativeName,
          false,
          new GeneralNames(new GeneralName(GeneralName.iPAddress, "127.0.0.1")));
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder("SHA256withECDSA")
                      .build(authorityKeys.getPrivate())));
    } catch (GeneralSecurityException | CertIOException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String keyPem(PrivateKey key, KeyForm form) {
    try {
      return switch (form) {
        case PKCS8_RSA, PKCS8_EC -> pem(new PemObject("PRIVATE KEY", key.getEncoded()));
        // what Bouncy Castle writes by default
        case PKCS1_RSA -> pem(key);
        // with the name of the curve, as OpenSSL does and Bouncy Castle does not
        case SEC1_EC -> {
          BigInteger secret = ((java.security.interfaces.ECPrivateKey) key).getS();
          ECPrivateKey structure = new ECPrivateKey(256, secret, SECObjectIdentifiers.secp256r1);
          yield pem(new PemObject("EC PRIVATE KEY", structure.getEncoded()));
        }
      };
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String pem(Object object) {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
