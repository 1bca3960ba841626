package dev.keelson.server.pki;

import dev.keelson.pem.PemCertificates;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;

/**
 * Makes certificates: EC keys on P-256, signed with SHA-256. Bouncy Castle's certificate builders
 * are loaded only when something has to be made.
 */
final class Issuer {

  private static final Duration AUTHORITY_LIFE = Duration.ofDays(3650);
  private static final Duration LEAF_LIFE = Duration.ofDays(365);

  /** Clocks of clients may be behind. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final Instant now;
  private final SecureRandom random = new SecureRandom();

  Issuer(Instant now) {
    this.now = now.truncatedTo(ChronoUnit.SECONDS);
  }

  /** A new authority that signs itself. */
  Identity authority(String commonName) {
    KeyPair pair = KeyPairs.generate();
    X500Name name = new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    try {
      JcaX509v3CertificateBuilder builder =
          builder(name, name, pair.getPublic(), now.plus(AUTHORITY_LIFE));
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
      builder.addExtension(
          Extension.keyUsage,
          true,
          new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign | KeyUsage.digitalSignature));
      builder.addExtension(
          Extension.subjectKeyIdentifier,
          false,
          new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
      return new Identity(pair.getPrivate(), List.of(sign(builder, pair.getPrivate())));
    } catch (IOException | GeneralSecurityException e) {
      throw new PkiException("cannot make the authority: " + e.getMessage(), e);
    }
  }

  /** A certificate for a server with these names. */
  Identity server(Identity authority, String commonName, SubjectNames names) {
    List<GeneralName> general = new ArrayList<>();
    for (String name : names.sorted()) {
      int kind = names.addresses().contains(name) ? GeneralName.iPAddress : GeneralName.dNSName;
      general.add(new GeneralName(kind, name));
    }
    Extension alternatives;
    try {
      alternatives =
          Extension.create(
              Extension.subjectAlternativeName,
              false,
              new GeneralNames(general.toArray(GeneralName[]::new)));
    } catch (IOException | IllegalArgumentException e) {
      throw new PkiException("cannot put the names into a certificate: " + e.getMessage(), e);
    }
    X500Name subject = new X500NameBuilder().addRDN(BCStyle.CN, commonName).build();
    return leaf(authority, subject, KeyPurposeId.id_kp_serverAuth, List.of(alternatives));
  }

  /** A certificate for a client: a user and the groups. */
  Identity client(Identity authority, String user, List<String> groups) {
    X500NameBuilder subject = new X500NameBuilder();
    groups.forEach(group -> subject.addRDN(BCStyle.O, group));
    subject.addRDN(BCStyle.CN, user);
    return leaf(authority, subject.build(), KeyPurposeId.id_kp_clientAuth, List.of());
  }

  private Identity leaf(
      Identity authority, X500Name subject, KeyPurposeId purpose, List<Extension> more) {
    KeyPair pair = KeyPairs.generate();
    try {
      X500Name issuer =
          X500Name.getInstance(authority.certificate().getSubjectX500Principal().getEncoded());
      Instant end = now.plus(LEAF_LIFE);
      Instant authorityEnd = authority.certificate().getNotAfter().toInstant();
      JcaX509v3CertificateBuilder builder =
          builder(
              issuer, subject, pair.getPublic(), end.isBefore(authorityEnd) ? end : authorityEnd);
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new JcaX509ExtensionUtils()
              .createAuthorityKeyIdentifier(authority.certificate().getPublicKey()));
      for (Extension extension : more) {
        builder.addExtension(extension);
      }
      return new Identity(pair.getPrivate(), List.of(sign(builder, authority.key())));
    } catch (IOException | GeneralSecurityException e) {
      throw new PkiException("cannot make a certificate: " + e.getMessage(), e);
    }
  }

  private JcaX509v3CertificateBuilder builder(
      X500Name issuer, X500Name subject, PublicKey key, Instant end) {
    // 159 bits stay positive and within the 20 bytes of RFC 5280, section 4.1.2.2
    BigInteger serial = new BigInteger(159, random).max(BigInteger.ONE);
    return new JcaX509v3CertificateBuilder(
        issuer, serial, Date.from(now.minus(SKEW)), Date.from(end), subject, key);
  }

  private static X509Certificate sign(X509v3CertificateBuilder builder, PrivateKey key)
      throws GeneralSecurityException, IOException {
    return PemCertificates.decode(builder.build(KeySigner.of(key)).getEncoded());
  }
}
