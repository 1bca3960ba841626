package dev.keelson.controller.certificate;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemBlock;
import dev.keelson.pem.PemBlocks;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.RDN;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.Extensions;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pkcs.PKCSException;

/**
 * A request for a certificate (PKCS #10).
 *
 * @param names the subject alternative names that go into a certificate: of DNS, email, IP and URI
 * @param usages the {@code spec.usages}
 */
record CertificateRequest(
    PKCS10CertificationRequest request, List<GeneralName> names, List<String> usages) {

  CertificateRequest {
    names = List.copyOf(names);
    usages = List.copyOf(usages);
  }

  /**
   * Reads the request of a CertificateSigningRequest.
   *
   * @throws SigningException if there is none that can be read
   */
  static CertificateRequest of(ApiObject object) throws SigningException {
    MapNode spec = object.root().map("spec");
    List<String> usages = new ArrayList<>();
    for (Node usage : spec.items("usages")) {
      if (usage instanceof Node.Text text) {
        usages.add(text.value());
      }
    }
    try {
      String text =
          new String(Base64.getDecoder().decode(spec.text("request")), StandardCharsets.US_ASCII);
      PemBlock block =
          new PemBlocks(text)
              .next()
              .filter(found -> found.type().equals("CERTIFICATE REQUEST"))
              .orElseThrow(
                  () -> new SigningException("PEM block type must be CERTIFICATE REQUEST"));
      PKCS10CertificationRequest request = new PKCS10CertificationRequest(block.der());
      return new CertificateRequest(request, names(request), usages);
    } catch (IOException | RuntimeException e) {
      // Bouncy Castle has runtime exceptions of many kinds for malformed ASN.1
      throw new SigningException(e.toString(), e);
    }
  }

  private static List<GeneralName> names(PKCS10CertificationRequest request) {
    Extensions extensions = request.getRequestedExtensions();
    GeneralNames all =
        extensions == null
            ? null
            : GeneralNames.fromExtensions(
                extensions, org.bouncycastle.asn1.x509.Extension.subjectAlternativeName);
    List<GeneralName> names = new ArrayList<>();
    if (all != null) {
      for (GeneralName name : all.getNames()) {
        switch (name.getTagNo()) {
          case GeneralName.dNSName,
              GeneralName.rfc822Name,
              GeneralName.iPAddress,
              GeneralName.uniformResourceIdentifier ->
              names.add(name);
          default -> {
            // Go's parser leaves the other kinds out as well
          }
        }
      }
    }
    return names;
  }

  /** Whether there is a name of a kind of {@link GeneralName}. */
  boolean hasName(int kind) {
    return names.stream().anyMatch(name -> name.getTagNo() == kind);
  }

  /** The last common name of the subject; empty if there is none. */
  String commonName() {
    List<String> found = subject(BCStyle.CN);
    return found.isEmpty() ? "" : found.getLast();
  }

  /** The organizations of the subject, in order. */
  List<String> organizations() {
    return subject(BCStyle.O);
  }

  private List<String> subject(ASN1ObjectIdentifier type) {
    List<String> values = new ArrayList<>();
    for (RDN part : request.getSubject().getRDNs()) {
      for (AttributeTypeAndValue each : part.getTypesAndValues()) {
        if (each.getType().equals(type)) {
          ASN1Encodable value = each.getValue();
          values.add(value instanceof ASN1String string ? string.getString() : value.toString());
        }
      }
    }
    return values;
  }

  /**
   * Checks that the requester has the private key.
   *
   * @throws SigningException if the signature of the request is not that of its key
   */
  void verify() throws SigningException {
    boolean valid;
    try {
      valid =
          request.isSignatureValid(
              new JcaContentVerifierProviderBuilder().build(request.getSubjectPublicKeyInfo()));
    } catch (PKCSException | OperatorCreationException | RuntimeException e) {
      throw new SigningException(
          "unable to verify certificate request signature: " + e.getMessage(), e);
    }
    if (!valid) {
      throw new SigningException(
          "unable to verify certificate request signature: the signature does not match");
    }
  }
}
