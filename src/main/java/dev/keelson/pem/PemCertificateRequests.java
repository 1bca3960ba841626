package dev.keelson.pem;

import java.util.ArrayList;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.pkcs.CertificationRequest;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;

/** Reads certificate signing requests (PKCS #10); their signature is not verified. */
public final class PemCertificateRequests {

  private PemCertificateRequests() {}

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
            .orElseThrow(() -> new PemException("PEM block type must be CERTIFICATE REQUEST"));
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
