package dev.keelson.admission.plugin.certificate;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemCertificateRequests;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * CertificateSubjectRestriction: no client certificate of the group {@code system:masters}, which
 * may do everything, can be requested.
 */
public final class CertificateSubjectRestriction implements Admission {

  private static final String SIGNER = "kubernetes.io/kube-apiserver-client";
  private static final String MASTERS = "system:masters";

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE
        && resource.equals(SignerAccess.REQUESTS)
        && subresource.isEmpty();
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject request = call.object();
    if (request == null || !request.root().map("spec").text("signerName").equals(SIGNER)) {
      return;
    }
    if (groups(call, request.root().map("spec")).contains(MASTERS)) {
      throw call.forbidden(
          "use of " + SIGNER + " signer with " + MASTERS + " group is not allowed");
    }
  }

  private static List<String> groups(AdmissionAttributes call, MapNode spec) {
    try {
      byte[] pem = Base64.getDecoder().decode(spec.text("request"));
      return PemCertificateRequests.organizations(
          new String(pem, StandardCharsets.ISO_8859_1), "spec.request");
    } catch (IllegalArgumentException e) {
      throw call.forbidden("failed to parse CSR: " + e.getMessage());
    }
  }
}
