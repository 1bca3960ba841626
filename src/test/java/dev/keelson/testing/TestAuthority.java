package dev.keelson.testing;

import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.cert.X509Certificate;
import java.security.interfaces.EdECKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Issues certificates of every kind that tests want, valid from {@link #FROM} to {@link #UNTIL}.
 */
public final class TestAuthority {

  public static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  public static final Instant UNTIL = Instant.parse("2026-01-02T00:00:00Z");

  private static final AtomicLong SERIAL = new AtomicLong();

  private final KeyPair keys;
  private final X509Certificate certificate;
  private final Period period;

  /** When certificates hold. */
  public record Period(Instant from, Instant until) {

    /** From an hour ago to in an hour. */
    public static Period now() {
      Instant now = Instant.now();
      return new Period(now.minus(Duration.ofHours(1)), now.plus(Duration.ofHours(1)));
    }

    /** Over for half an hour. */
    public static Period over() {
      Instant now = Instant.now();
      return new Period(now.minus(Duration.ofHours(1)), now.minus(Duration.ofMinutes(30)));
    }

    /** Begins in half an hour. */
    public static Period toCome() {
      Instant now = Instant.now();
      return new Period(now.plus(Duration.ofMinutes(30)), now.plus(Duration.ofHours(1)));
    }
  }

  private TestAuthority(KeyPair keys, X509Certificate certificate, Period period) {
    this.keys = keys;
    this.certificate = certificate;
    this.period = period;
  }

  /** An authority that signs itself. */
  public static TestAuthority root(String name) {
    return root(name, new Period(FROM, UNTIL));
  }

  /** An authority that signs itself, for some time. */
  public static TestAuthority root(String name, Period period) {
    return root(name, period, newKeys());
  }

  /** An authority that signs itself, now, with an Ed25519 key. */
  public static TestAuthority edwards(String name) {
    return root(name, Period.now(), newKeys("Ed25519"));
  }

  private static TestAuthority root(String name, Period period, KeyPair keys) {
    X500Name subject = new X500Name("CN=" + name);
    return new TestAuthority(
        keys,
        issue(keys, subject, keys, subject, new BasicConstraints(true), List.of(), period),
        period);
  }

  /** An identity for a client, now. */
  public TestIdentity identity(String subject) {
    return identity(subject, Period.now(), KeyPurposeId.id_kp_clientAuth);
  }

  /** An identity for a server at 127.0.0.1, now. */
  public TestIdentity server(String subject) {
    return server(subject, new GeneralName(GeneralName.iPAddress, "127.0.0.1"));
  }

  /** An identity for some time and some uses. */
  public TestIdentity identity(String subject, Period when, KeyPurposeId... uses) {
    return identity(subject, when, newKeys(), uses);
  }

  /** An identity for a client with an Ed25519 key, now. */
  public TestIdentity edwardsIdentity(String subject) {
    return identity(subject, Period.now(), newKeys("Ed25519"), KeyPurposeId.id_kp_clientAuth);
  }

  private TestIdentity identity(String subject, Period when, KeyPair own, KeyPurposeId... uses) {
    X509Certificate issued =
        issue(
            keys,
            subject(),
            own,
            new X500Name(subject),
            new BasicConstraints(false),
            List.of(uses),
            when);
    return new TestIdentity(own.getPrivate(), List.of(issued));
  }

  /** An identity of a server, with its DNS name among the alternative names and as its subject. */
  public TestIdentity serverNamed(String name) {
    return server("CN=" + name, new GeneralName(GeneralName.dNSName, name));
  }

  private TestIdentity server(String subject, GeneralName name) {
    KeyPair own = newKeys();
    X509Certificate issued =
        issue(
            keys,
            subject(),
            own,
            new X500Name(subject),
            new BasicConstraints(false),
            List.of(KeyPurposeId.id_kp_serverAuth),
            Period.now(),
            name);
    return new TestIdentity(own.getPrivate(), List.of(issued));
  }

  /** This authority as if it were a client. */
  public TestIdentity itself() {
    return new TestIdentity(keys.getPrivate(), List.of(certificate));
  }

  /** An authority that this one has signed. */
  public TestAuthority intermediate(String name) {
    return signed("CN=" + name, new BasicConstraints(true));
  }

  /** A holder of a plain certificate, who signs others nevertheless. */
  public TestAuthority leafThatSigns(String subject) {
    return signed(subject, new BasicConstraints(false));
  }

  /** A certificate for a client. */
  public X509Certificate client(String subject) {
    return leaf(subject, List.of(KeyPurposeId.id_kp_clientAuth));
  }

  /** A certificate for some uses; without the extension if there are none. */
  public X509Certificate leaf(String subject, List<KeyPurposeId> uses) {
    return issue(
        keys,
        subject(),
        newKeys(),
        new X500Name(subject),
        new BasicConstraints(false),
        uses,
        period);
  }

  /** The certificate as text. */
  public String pem() {
    return TestIdentity.pem(certificate);
  }

  public X509Certificate certificate() {
    return certificate;
  }

  private TestAuthority signed(String subject, BasicConstraints constraints) {
    KeyPair own = newKeys();
    return new TestAuthority(
        own,
        issue(keys, subject(), own, new X500Name(subject), constraints, List.of(), period),
        period);
  }

  private X500Name subject() {
    return X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
  }

  private static X509Certificate issue(
      KeyPair signer,
      X500Name issuer,
      KeyPair keys,
      X500Name subject,
      BasicConstraints constraints,
      List<KeyPurposeId> uses,
      Period period,
      GeneralName... names) {
    try {
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              BigInteger.valueOf(SERIAL.incrementAndGet()),
              Date.from(period.from()),
              Date.from(period.until()),
              subject,
              keys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, constraints);
      if (!uses.isEmpty()) {
        builder.addExtension(
            Extension.extendedKeyUsage,
            false,
            new ExtendedKeyUsage(uses.toArray(KeyPurposeId[]::new)));
      }
      if (names.length > 0) {
        builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
      }
      return new JcaX509CertificateConverter()
          .getCertificate(
              builder.build(
                  new JcaContentSignerBuilder(
                          signer.getPrivate() instanceof EdECKey ? "Ed25519" : "SHA256withECDSA")
                      .build(signer.getPrivate())));
    } catch (IOException | GeneralSecurityException | OperatorCreationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static KeyPair newKeys() {
    return newKeys("EC");
  }

  private static KeyPair newKeys(String algorithm) {
    try {
      return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
