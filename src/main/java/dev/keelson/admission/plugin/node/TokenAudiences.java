package dev.keelson.admission.plugin.node;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * Checks the audiences of tokens that a kubelet requests for a pod: those of projected volumes and
 * CSI drivers of the pod, and those that the authorizer allows (KEP-4412).
 *
 * @param objects looks up claims, volumes and CSI drivers
 */
record TokenAudiences(ClusterObjects objects, Authorizer authorizer) {

  private static final String VERB = "request-serviceaccounts-token-audience";

  private static final GroupVersionResource CLAIMS =
      GroupVersion.CORE_V1.resource("persistentvolumeclaims");
  private static final GroupVersionResource VOLUMES =
      GroupVersion.CORE_V1.resource("persistentvolumes");
  private static final GroupVersionResource DRIVERS =
      new GroupVersionResource("storage.k8s.io", "v1", "csidrivers");

  void check(AdmissionAttributes call, ApiObject pod, List<Node> wanted) {
    if (wanted.size() > 1) {
      throw call.forbidden("node may only request 0 or 1 audiences");
    }
    String audience =
        !wanted.isEmpty() && wanted.getFirst() instanceof Node.Text text ? text.value() : "";
    for (Node item : pod.root().map("spec").items("volumes")) {
      if (item instanceof MapNode volume && names(volume, pod, audience)) {
        return;
      }
    }
    if (!granted(call, audience)) {
      throw call.forbidden(
          ("audience \"%s\" not found in pod spec volume, %s is not authorized to request tokens"
                  + " for this audience")
              .formatted(audience, call.user().name()));
    }
  }

  private boolean granted(AdmissionAttributes call, String audience) {
    Attributes.Resource target =
        Attributes.Resource.of(
            new GroupResource("", audience), "v1", call.namespace(), call.name());
    return authorizer.authorize(new Attributes(call.user(), VERB, target)).allowed();
  }

  private boolean names(MapNode volume, ApiObject pod, String audience) {
    for (Node item : volume.map("projected").items("sources")) {
      if (item instanceof MapNode source
          && source.has("serviceAccountToken")
          && source.map("serviceAccountToken").text("audience").equals(audience)) {
        return true;
      }
    }
    String driver = volume.map("csi").text("driver");
    String claim =
        volume.has("ephemeral")
            ? pod.meta().name() + "-" + volume.text("name")
            : volume.map("persistentVolumeClaim").text("claimName");
    if (!claim.isEmpty()) {
      driver =
          objects
              .find(CLAIMS, pod.meta().namespace(), claim)
              .map(found -> found.root().map("spec").text("volumeName"))
              .filter(name -> !name.isEmpty())
              .flatMap(name -> objects.find(VOLUMES, "", name))
              .map(found -> found.root().map("spec").map("csi").text("driver"))
              .orElse("");
    }
    return !driver.isEmpty()
        && objects.find(DRIVERS, "", driver).stream()
            .flatMap(found -> found.root().map("spec").items("tokenRequests").stream())
            .anyMatch(
                item ->
                    item instanceof MapNode request && request.text("audience").equals(audience));
  }
}
