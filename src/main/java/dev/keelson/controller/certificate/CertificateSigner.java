package dev.keelson.controller.certificate;

import java.io.IOException;
import java.math.BigInteger;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.interfaces.ECKey;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1OctetString;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.AuthorityKeyIdentifier;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.asn1.x509.SubjectKeyIdentifier;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Makes certificates of requests (source: {@code pkg/controller/certificates/authority}): subject,
 * key and alternative names are those of the request, everything else is decided here.
 */
final class CertificateSigner {

  /** Clocks of those who check the certificate may be behind. */
  private static final Duration BACKDATE = Duration.ofMinutes(5);

  /** The end of a shorter certificate is not moved with its begin. */
  private static final Duration SHORT = Duration.ofHours(8);

  private static final int SERIAL_BITS = 127;

  private static final Map<String, Integer> KEY_USAGES =
      Map.of(
          "signing", KeyUsage.digitalSignature,
          "digital signature", KeyUsage.digitalSignature,
          "content commitment", KeyUsage.nonRepudiation,
          "key encipherment", KeyUsage.keyEncipherment,
          "key agreement", KeyUsage.keyAgreement,
          "data encipherment", KeyUsage.dataEncipherment,
          "cert sign", KeyUsage.keyCertSign,
          "crl sign", KeyUsage.cRLSign,
          "encipher only", KeyUsage.encipherOnly,
          "decipher only", KeyUsage.decipherOnly);

  /** In the order in which they are in a certificate. */
  private static final List<String> PURPOSES =
      List.of(
          "any",
          "server auth",
          "client auth",
          "code signing",
          "email protection",
          "ipsec end system",
          "ipsec tunnel",
          "ipsec user",
          "timestamping",
          "ocsp signing",
          "microsoft sgc",
          "netscape sgc");

  private static final List<KeyPurposeId> PURPOSE_IDS =
      List.of(
          KeyPurposeId.anyExtendedKeyUsage,
          KeyPurposeId.id_kp_serverAuth,
          KeyPurposeId.id_kp_clientAuth,
          KeyPurposeId.id_kp_codeSigning,
          KeyPurposeId.id_kp_emailProtection,
          KeyPurposeId.id_kp_ipsecEndSystem,
          KeyPurposeId.id_kp_ipsecTunnel,
          KeyPurposeId.id_kp_ipsecUser,
          KeyPurposeId.id_kp_timeStamping,
          KeyPurposeId.id_kp_OCSPSigning,
          KeyPurposeId.getInstance(new ASN1ObjectIdentifier("1.3.6.1.4.1.311.10.3.3")),
          KeyPurposeId.getInstance(new ASN1ObjectIdentifier("2.16.840.1.113730.4.1")));

  private final SecureRandom random = new SecureRandom();

  /**
   * Signs a request.
   *
   * @param life how long the certificate shall hold; it ends with the authority at the latest
   * @return the certificate in DER
   * @throws SigningException if the request or the authority does not allow it
   */
  byte[] sign(SigningAuthority authority, CertificateRequest request, Duration life, Instant time)
      throws SigningException {
    request.verify();
    Instant now = time.truncatedTo(ChronoUnit.SECONDS);
    Instant last = authority.certificate().getNotAfter().toInstant();
    Instant begin = now.minus(BACKDATE);
    Instant end = now.plus(life.compareTo(SHORT) < 0 ? life : life.minus(BACKDATE));
    if (end.isAfter(last)) {
      end = last;
    }
    if (!begin.isBefore(last)) {
      throw new SigningException("the signer has expired: NotAfter=" + last);
    }
    if (!now.isBefore(last)) {
      throw new SigningException(
          "refusing to sign a certificate that expired in the past: NotAfter=" + last);
    }
    try {
      X509v3CertificateBuilder builder =
          new X509v3CertificateBuilder(
              X500Name.getInstance(authority.certificate().getSubjectX500Principal().getEncoded()),
              new BigInteger(SERIAL_BITS, random).max(BigInteger.ONE),
              Date.from(begin),
              Date.from(end),
              request.request().getSubject(),
              request.request().getSubjectPublicKeyInfo());
      extend(builder, authority, request);
      return builder
          .build(new JcaContentSignerBuilder(algorithm(authority.key())).build(authority.key()))
          .getEncoded();
    } catch (IOException | OperatorCreationException e) {
      throw new SigningException(e.toString(), e);
    }
  }

  private static void extend(
      X509v3CertificateBuilder builder, SigningAuthority authority, CertificateRequest request)
      throws IOException, SigningException {
    int usage = 0;
    Set<Integer> purposes = new TreeSet<>();
    List<String> unknown = new ArrayList<>();
    for (String word : request.usages()) {
      Integer bit = KEY_USAGES.get(word);
      int purpose = PURPOSES.indexOf(word.equals("s/mime") ? "email protection" : word);
      if (bit != null) {
        usage |= bit;
      } else if (purpose >= 0) {
        purposes.add(purpose);
      } else {
        unknown.add('"' + word + '"');
      }
    }
    if (!unknown.isEmpty()) {
      throw new SigningException("unrecognized usage values: [" + String.join(" ", unknown) + "]");
    }
    if (usage != 0) {
      builder.addExtension(Extension.keyUsage, true, new KeyUsage(usage));
    }
    if (!purposes.isEmpty()) {
      builder.addExtension(
          Extension.extendedKeyUsage,
          false,
          new ExtendedKeyUsage(
              purposes.stream().map(PURPOSE_IDS::get).toArray(KeyPurposeId[]::new)));
    }
    builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
    byte[] identifier =
        authority.certificate().getExtensionValue(Extension.subjectKeyIdentifier.getId());
    if (identifier != null) {
      builder.addExtension(
          Extension.authorityKeyIdentifier,
          false,
          new AuthorityKeyIdentifier(
              SubjectKeyIdentifier.getInstance(ASN1OctetString.getInstance(identifier).getOctets())
                  .getKeyIdentifier()));
    }
    if (!request.names().isEmpty()) {
      builder.addExtension(
          Extension.subjectAlternativeName,
          /* isCritical= */ request.request().getSubject().getRDNs().length == 0,
          names(request.names()));
    }
  }

  /** In the order of Go: names of DNS, email, IP and URI. */
  private static GeneralNames names(List<GeneralName> names) {
    Map<Integer, List<GeneralName>> sorted = new TreeMap<>();
    List<Integer> order =
        List.of(
            GeneralName.dNSName,
            GeneralName.rfc822Name,
            GeneralName.iPAddress,
            GeneralName.uniformResourceIdentifier);
    for (GeneralName name : names) {
      sorted.computeIfAbsent(order.indexOf(name.getTagNo()), _ -> new ArrayList<>()).add(name);
    }
    return new GeneralNames(
        sorted.values().stream().flatMap(List::stream).toArray(GeneralName[]::new));
  }

  /** As Go chooses for a key. */
  private static String algorithm(PrivateKey key) {
    if (key instanceof ECKey curve) {
      int bits = curve.getParams().getOrder().bitLength();
      return bits <= 256 ? "SHA256withECDSA" : bits <= 384 ? "SHA384withECDSA" : "SHA512withECDSA";
    }
    return key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "Ed25519";
  }
}
