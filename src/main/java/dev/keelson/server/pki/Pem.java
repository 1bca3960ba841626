package dev.keelson.server.pki;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateEncodingException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** Certificates and private keys in the text form of RFC 7468. */
public final class Pem {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  private Pem() {}

  /**
   * All certificates of a file, at least one.
   *
   * @throws PkiException naming the file, if there is none or one cannot be read
   */
  public static List<X509Certificate> certificates(Path file) {
    return certificates(file.toString(), read(file));
  }

  /**
   * All certificates of a text, at least one.
   *
   * @param file where it is from, for errors
   */
  public static List<X509Certificate> certificates(String file, String text) {
    List<X509Certificate> found = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    try {
      CertificateFactory factory = CertificateFactory.getInstance("X.509");
      while (block.find()) {
        if (block.group(1).equals("CERTIFICATE")) {
          byte[] der = Base64.getMimeDecoder().decode(block.group(2));
          found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(der)));
        }
      }
    } catch (CertificateException | IllegalArgumentException e) {
      throw new PkiException(file + ": a certificate cannot be read: " + e.getMessage(), e);
    }
    if (found.isEmpty()) {
      throw new PkiException(file + " holds no certificate in PEM", null);
    }
    return found;
  }

  /**
   * The private key of a file: PKCS #8, or the older forms of RSA and EC keys, not encrypted.
   *
   * @throws PkiException naming the file, if there is none or it cannot be read
   */
  public static PrivateKey key(Path file) {
    return key(file.toString(), read(file));
  }

  /**
   * The private key of a text.
   *
   * @param file where it is from, for errors
   */
  public static PrivateKey key(String file, String text) {
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      switch (block.group(1)) {
        case "PRIVATE KEY" -> {
          return pkcs8(file, Base64.getMimeDecoder().decode(block.group(2)));
        }
        case "EC PRIVATE KEY", "RSA PRIVATE KEY" -> {
          return older(file, text.substring(block.start()));
        }
        case "ENCRYPTED PRIVATE KEY" ->
            throw new PkiException(file + ": the key is encrypted, which is not supported", null);
        default -> {
          // certificates and EC parameters may stand before the key
        }
      }
    }
    throw new PkiException(file + " holds no private key in PEM", null);
  }

  /** Whether {@code key} is the one that {@code certificate} speaks of. */
  public static boolean matches(PrivateKey key, X509Certificate certificate) {
    String algorithm =
        switch (key.getAlgorithm()) {
          case "EC" -> "SHA256withECDSA";
          case "RSA" -> "SHA256withRSA";
          default -> key.getAlgorithm();
        };
    byte[] probe = "keelson".getBytes(StandardCharsets.UTF_8);
    try {
      Signature signer = Signature.getInstance(algorithm);
      signer.initSign(key);
      signer.update(probe);
      byte[] signature = signer.sign();
      signer.initVerify(certificate.getPublicKey());
      signer.update(probe);
      return signer.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /** {@code certificates} one after the other. */
  public static String text(List<X509Certificate> certificates) {
    StringBuilder text = new StringBuilder();
    try {
      for (X509Certificate certificate : certificates) {
        text.append(block("CERTIFICATE", certificate.getEncoded()));
      }
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException("a certificate that was read can be written", e);
    }
    return text.toString();
  }

  /** {@code key} in PKCS #8. */
  static String text(PrivateKey key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  /**
   * {@code key} in the form of its own algorithm where there is one (SEC 1, RFC 5915), else in PKCS
   * #8. For clients: fabric8 takes every key in PKCS #8 for an RSA key, and others want the public
   * half in it.
   */
  static String textForClients(PrivateKey key, PublicKey half) {
    if (!(key instanceof ECPrivateKey ec)) {
      return text(key);
    }
    SubjectPublicKeyInfo known = SubjectPublicKeyInfo.getInstance(half.getEncoded());
    try {
      return block(
          "EC PRIVATE KEY",
          new org.bouncycastle.asn1.sec.ECPrivateKey(
                  ec.getParams().getOrder().bitLength(),
                  ec.getS(),
                  known.getPublicKeyData(),
                  known.getAlgorithm().getParameters())
              .getEncoded(ASN1Encoding.DER));
    } catch (IOException e) {
      throw new IllegalStateException("a key that was made can be written", e);
    }
  }

  /** {@code der} as a block with the given label. */
  private static String block(String label, byte[] der) {
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der)
        + "\n-----END "
        + label
        + "-----\n";
  }

  private static String read(Path file) {
    try {
      // what stands between the blocks may be anything, so no character is refused
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new PkiException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static PrivateKey pkcs8(String file, byte[] der) {
    PKCS8EncodedKeySpec spec = new PKCS8EncodedKeySpec(der);
    for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        // the key is of another algorithm: try the next
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every JDK has " + algorithm, e);
      }
    }
    throw new PkiException(file + ": the key is neither EC, RSA nor Ed25519", null);
  }

  private static PrivateKey older(String file, String text) {
    try (PEMParser parser = new PEMParser(new StringReader(text))) {
      if (parser.readObject() instanceof PEMKeyPair pair) {
        // the older form of EC keys may leave the public half out
        return new JcaPEMKeyConverter().getPrivateKey(pair.getPrivateKeyInfo());
      }
      throw new PkiException(file + ": the private key cannot be read", null);
    } catch (IOException e) {
      throw new PkiException(file + ": the private key cannot be read: " + e.getMessage(), e);
    }
  }
}
