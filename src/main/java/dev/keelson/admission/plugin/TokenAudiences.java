package dev.keelson.admission.plugin;

import dev.keelson.admission.AdmissionCall;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import java.util.List;

/**
 * For whom a kubelet may have tokens of a pod made: for those whom a volume of the pod names, or
 * the driver of one (KEP-4412).
 *
 * @param objects looks up claims, volumes and drivers
 */
record TokenAudiences(ClusterObjects objects) {

  private static final GroupVersionResource CLAIMS =
      GroupVersion.CORE_V1.resource("persistentvolumeclaims");
  private static final GroupVersionResource VOLUMES =
      GroupVersion.CORE_V1.resource("persistentvolumes");
  private static final GroupVersionResource DRIVERS =
      new GroupVersionResource("storage.k8s.io", "v1", "csidrivers");

  void check(AdmissionCall call, ApiObject pod, List<Node> wanted) {
    if (wanted.size() > 1) {
      throw Pods.forbidden(call, "node may only request 0 or 1 audiences");
    }
    String audience =
        !wanted.isEmpty() && wanted.getFirst() instanceof Node.Text text ? text.value() : "";
    for (Node item : Pods.spec(pod).items("volumes")) {
      if (item instanceof MapNode volume && names(volume, pod, audience)) {
        return;
      }
    }
    throw Pods.forbidden(call, "audience \"" + audience + "\" not found in pod spec volume");
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
