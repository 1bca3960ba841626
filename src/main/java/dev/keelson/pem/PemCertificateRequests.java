package dev.keelson.pem;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.PSSParameterSpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;

/** Reads certificate signing requests (PKCS #10). */
public final class PemCertificateRequests {

  /** The problem of a text that is no request. */
  public static final String NO_REQUEST = "PEM block type must be CERTIFICATE REQUEST";

  /** The JDK's names of the algorithms by which requests are signed, by their identifiers. */
  private static final Map<String, String> SIGNATURES =
      Map.ofEntries(
          Map.entry("1.2.840.113549.1.1.5", "SHA1withRSA"),
          Map.entry("1.2.840.113549.1.1.11", "SHA256withRSA"),
          Map.entry("1.2.840.113549.1.1.12", "SHA384withRSA"),
          Map.entry("1.2.840.113549.1.1.13", "SHA512withRSA"),
          Map.entry("1.2.840.113549.1.1.10", "RSASSA-PSS"),
          Map.entry("1.2.840.10045.4.1", "SHA1withECDSA"),
          Map.entry("1.2.840.10045.4.3.2", "SHA256withECDSA"),
          Map.entry("1.2.840.10045.4.3.3", "SHA384withECDSA"),
          Map.entry("1.2.840.10045.4.3.4", "SHA512withECDSA"),
          Map.entry("1.3.101.112", "Ed25519"));

  private PemCertificateRequests() {}

  /**
   * What is wrong with a request; empty if it is one and its signature is of its own key.
   *
   * @param text its first block is to be a request
   */
  public static String problem(String text) {
    PemBlock block = new PemBlocks(text).next().orElse(null);
    if (block == null || !block.type().equals("CERTIFICATE REQUEST")) {
      return NO_REQUEST;
    }
    try {
      return Decoding.decode("x509", "the request", () -> signatureProblem(block.der()));
    } catch (PemException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static String signatureProblem(byte[] der) throws IOException, GeneralSecurityException {
    CertificationRequest request = CertificationRequest.getInstance(der);
    SubjectPublicKeyInfo key = request.getCertificationRequestInfo().getSubjectPublicKeyInfo();
    AlgorithmIdentifier algorithm = request.getSignatureAlgorithm();
    String name = SIGNATURES.get(algorithm.getAlgorithm().getId());
    if (name == null) {
      return "x509: cannot verify signature: algorithm unimplemented";
    }
    Signature signature = Signature.getInstance(name);
    if (name.equals("RSASSA-PSS")) {
      AlgorithmParameters parameters = AlgorithmParameters.getInstance(name);
      parameters.init(algorithm.getParameters().toASN1Primitive().getEncoded());
      signature.setParameter(parameters.getParameterSpec(PSSParameterSpec.class));
    }
    signature.initVerify(
        Decoding.factory(key.getAlgorithm())
            .generatePublic(new X509EncodedKeySpec(key.getEncoded())));
    signature.update(request.getCertificationRequestInfo().getEncoded());
    return isSigned(signature, request.getSignature().getOctets())
        ? ""
        : name.endsWith("ECDSA")
            ? "x509: ECDSA verification failure"
            : name.equals("Ed25519")
                ? "x509: Ed25519 verification failure"
                : "crypto/rsa: verification error";
  }

  private static boolean isSigned(Signature signature, byte[] bytes) {
    try {
      return signature.verify(bytes);
    } catch (SignatureException e) {
      // not even the form of a signature
      return false;
    }
  }

  /**
   * The organizations of the subject, which are the groups of a user, in order.
   *
   * @param text its first block is a request
   * @param source where the text is from, for errors
   * @throws PemException if there is no request
   */
  public static List<String> organizations(String text, String source) {
    return subject(text, source, BCStyle.O);
  }

  /**
   * The last common name of the subject, which is the name of a user; empty if there is none.
   *
   * @param text its first block is a request
   * @param source where the text is from, for errors
   * @throws PemException if there is no request
   */
  public static String commonName(String text, String source) {
    List<String> names = subject(text, source, BCStyle.CN);
    return names.isEmpty() ? "" : names.getLast();
  }

  /** The attributes of one type in the subject, in order. */
  private static List<String> subject(String text, String source, ASN1ObjectIdentifier type) {
    PemBlock block =
        new PemBlocks(text)
            .next()
            .filter(found -> found.type().equals("CERTIFICATE REQUEST"))
            .orElseThrow(() -> new PemException(NO_REQUEST));
    return Decoding.decode(
        source,
        "the request",
        () -> {
          List<String> values = new ArrayList<>();
          CertificationRequest request = CertificationRequest.getInstance(block.der());
          for (RDN part : request.getCertificationRequestInfo().getSubject().getRDNs()) {
            for (AttributeTypeAndValue each : part.getTypesAndValues()) {
              if (each.getType().equals(type)) {
                values.add(text(each.getValue()));
              }
            }
          }
          return values;
        });
  }

  private static String text(ASN1Encodable value) {
    return value instanceof ASN1String string ? string.getString() : value.toString();
  }
}
