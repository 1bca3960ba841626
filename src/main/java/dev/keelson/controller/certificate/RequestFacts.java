package dev.keelson.controller.certificate;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemCertificates;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What controllers keep of a CertificateSigningRequest.
 *
 * @param signer the {@code spec.signerName}
 * @param expires the end of the issued certificate; null if there is none that can be read
 */
public record RequestFacts(
    String name,
    String signer,
    Instant created,
    List<Condition> conditions,
    boolean issued,
    @Nullable Instant expires) {

  /** The API resource. */
  public static final GroupVersionResource RESOURCE =
      new GroupVersion("certificates.k8s.io", "v1").resource("certificatesigningrequests");

  /** Informers of CertificateSigningRequests. */
  public static final InformerType<RequestFacts> TYPE =
      new InformerType<>(RESOURCE, RequestFacts::of, List.of());

  private static final String FIRST = "kubernetes.io/";

  static final String CLIENT = FIRST + "kube-apiserver-client";
  static final String KUBELET_CLIENT = FIRST + "kube-apiserver-client-kubelet";
  static final String KUBELET_SERVING = FIRST + "kubelet-serving";
  static final String LEGACY = FIRST + "legacy-unknown";

  /**
   * A condition.
   *
   * @param updated the epoch if it does not tell
   */
  record Condition(String type, String status, Instant updated) {}

  public RequestFacts {
    conditions = List.copyOf(conditions);
  }

  static RequestFacts of(ApiObject object) {
    MapNode status = object.root().map("status");
    String certificate = status.text("certificate");
    return new RequestFacts(
        object.meta().name(),
        object.root().map("spec").text("signerName"),
        Times.instant(object.meta().creationTimestamp()),
        status.maps("conditions").stream()
            .map(
                each ->
                    new Condition(
                        each.text("type"),
                        each.text("status"),
                        Times.instant(each.text("lastUpdateTime"))))
            .toList(),
        !certificate.isEmpty(),
        certificate.isEmpty() ? null : end(certificate));
  }

  private static @Nullable Instant end(String certificate) {
    try {
      String text = new String(Base64.getDecoder().decode(certificate), StandardCharsets.US_ASCII);
      return PemCertificates.parse("status.certificate", text).getFirst().getNotAfter().toInstant();
    } catch (IllegalArgumentException e) {
      // a signer of another kind may issue what cannot be read here
      return null;
    }
  }

  boolean has(String type) {
    return conditions.stream().anyMatch(each -> each.type().equals(type));
  }

  /** Whether nobody has decided. */
  boolean isPending() {
    return !issued && !has("Approved") && !has("Denied");
  }

  /** Whether a certificate is due. */
  boolean awaitsCertificate() {
    return !issued
        && has("Approved")
        && !has("Denied")
        && conditions.stream()
            .noneMatch(
                each ->
                    each.type().equals("Failed")
                        && (each.status().equals("True") || each.status().isEmpty()));
  }
}
