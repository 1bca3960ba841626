package dev.keelson.controller.certificate;

import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x509.GeneralName;

/**
 * What the signers of Kubernetes sign (source: {@code pkg/apis/certificates/helpers.go} and {@code
 * signer.go}).
 */
final class SignerRules {

  private static final String SIGNATURE = "digital signature";
  private static final String ENCIPHERMENT = "key encipherment";
  private static final String SERVER = "server auth";
  private static final String CLIENT = "client auth";
  private static final String NODE = "system:node:";

  private SignerRules() {}

  /**
   * Checks a request against the rules of its signer.
   *
   * @param signer one of {@link RequestFacts}
   * @throws SigningException with the message for the condition Failed
   */
  static void check(String signer, CertificateRequest request) throws SigningException {
    switch (signer) {
      case RequestFacts.KUBELET_SERVING -> checkKubeletServing(request);
      case RequestFacts.KUBELET_CLIENT -> checkKubeletClient(request);
      case RequestFacts.CLIENT -> checkClientUsages(request);
      default -> {
        // legacy-unknown has no rules
      }
    }
  }

  private static void checkKubeletServing(CertificateRequest request) throws SigningException {
    checkOrganization(request);
    require(
        request.hasName(GeneralName.dNSName) || request.hasName(GeneralName.iPAddress),
        "DNS or IP subjectAltName is required");
    require(!request.hasName(GeneralName.rfc822Name), "Email subjectAltNames are not allowed");
    require(
        !request.hasName(GeneralName.uniformResourceIdentifier),
        "URI subjectAltNames are not allowed");
    checkUsages(request, SERVER);
    checkCommonName(request);
  }

  static void checkKubeletClient(CertificateRequest request) throws SigningException {
    checkOrganization(request);
    require(!request.hasName(GeneralName.dNSName), "DNS subjectAltNames are not allowed");
    require(!request.hasName(GeneralName.rfc822Name), "Email subjectAltNames are not allowed");
    require(!request.hasName(GeneralName.iPAddress), "IP subjectAltNames are not allowed");
    require(
        !request.hasName(GeneralName.uniformResourceIdentifier),
        "URI subjectAltNames are not allowed");
    checkCommonName(request);
    checkUsages(request, CLIENT);
  }

  private static void checkClientUsages(CertificateRequest request) throws SigningException {
    for (String usage : request.usages()) {
      require(
          Set.of(SIGNATURE, ENCIPHERMENT, CLIENT).contains(usage),
          "invalid usage for client certificate: " + usage);
    }
    require(
        request.usages().contains(CLIENT),
        "missing required usage for client certificate: " + CLIENT);
  }

  private static void checkOrganization(CertificateRequest request) throws SigningException {
    require(
        request.organizations().equals(List.of("system:nodes")),
        "subject organization is not system:nodes");
  }

  private static void checkCommonName(CertificateRequest request) throws SigningException {
    require(
        request.commonName().startsWith(NODE),
        "subject common name does not begin with system:node:");
  }

  /** Key encipherment is for RSA alone and may be missing. */
  private static void checkUsages(CertificateRequest request, String purpose)
      throws SigningException {
    Set<String> usages = Set.copyOf(request.usages());
    require(
        usages.equals(Set.of(SIGNATURE, ENCIPHERMENT, purpose))
            || usages.equals(Set.of(SIGNATURE, purpose)),
        purpose.equals(CLIENT)
            ? "usages did not match [client auth digital signature key encipherment]"
            : "usages did not match [digital signature key encipherment server auth]");
  }

  private static void require(boolean condition, String message) throws SigningException {
    if (!condition) {
      throw new SigningException(message);
    }
  }
}
