package dev.keelson.admission.plugin.node;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemCertificateRequests;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;

/**
 * Checks the certificates that a kubelet requests from the signers of kubelets: they are of its own
 * node.
 */
final class NodeCertificateRequests {

  private static final Set<String> SIGNERS =
      Set.of("kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet");

  private NodeCertificateRequests() {}

  /** Rejects a new request for another subject than {@code user}, the name of the kubelet. */
  static void check(String user, AdmissionAttributes call) {
    ApiObject request = call.object();
    if (call.operation() != Verb.CREATE || request == null) {
      return;
    }
    MapNode spec = request.root().map("spec");
    if (SIGNERS.contains(spec.text("signerName")) && !commonName(call, spec).equals(user)) {
      throw call.forbidden("can only create a node CSR with CN=" + user);
    }
  }

  private static String commonName(AdmissionAttributes call, MapNode spec) {
    try {
      byte[] pem = Base64.getDecoder().decode(spec.text("request"));
      return PemCertificateRequests.commonName(
          new String(pem, StandardCharsets.ISO_8859_1), "spec.request");
    } catch (IllegalArgumentException e) {
      throw call.forbidden("unable to parse csr: " + e.getMessage());
    }
  }
}
