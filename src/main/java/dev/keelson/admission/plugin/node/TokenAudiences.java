package dev.keelson.admission.plugin.node;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.authz.Attributes;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.Decision;
import dev.keelson.authz.EvaluationErrors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

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

  /** The CSI drivers that take the place of volume plugins (source: csi-translation-lib). */
  private static final Map<String, String> MIGRATED =
      Map.of(
          "awsElasticBlockStore", "ebs.csi.aws.com",
          "azureDisk", "disk.csi.azure.com",
          "azureFile", "file.csi.azure.com",
          "cinder", "cinder.csi.openstack.org",
          "gcePersistentDisk", "pd.csi.storage.gke.io",
          "portworxVolume", "pxd.portworx.com",
          "vsphereVolume", "csi.vsphere.vmware.com");

  void check(AdmissionAttributes call, ApiObject pod, List<Node> wanted) {
    if (wanted.size() > 1) {
      throw call.forbidden("node may only request 0 or 1 audiences");
    }
    String audience =
        !wanted.isEmpty() && wanted.getFirst() instanceof Node.Text text ? text.value() : "";
    Set<String> missing = new LinkedHashSet<>();
    for (MapNode volume : pod.root().map("spec").maps("volumes")) {
      if (names(volume, pod, audience, missing)) {
        return;
      }
    }
    if (!missing.isEmpty()) {
      throw call.forbidden(
          "error validating audience "
              + GoQuote.quote(audience)
              + ": "
              + EvaluationErrors.aggregate(new ArrayList<>(missing)));
    }
    requireGrant(call, audience);
  }

  private void requireGrant(AdmissionAttributes call, String audience) {
    Attributes.Resource target =
        Attributes.Resource.of(
            new GroupResource("", audience), "v1", call.namespace(), call.name());
    Decision decision = authorizer.authorize(new Attributes(call.user(), VERB, target));
    if (decision.allowed()) {
      return;
    }
    String user = call.user().name();
    throw call.forbidden(
        "audience "
            + GoQuote.quote(audience)
            + " not found in pod spec volume, "
            + (decision.error().isEmpty()
                ? user + " is not authorized to request tokens for this audience"
                : "error authorizing "
                    + user
                    + " to request tokens for this audience: "
                    + decision.error()));
  }

  /**
   * Whether a volume is for an audience.
   *
   * @param missing takes the objects that the volume leads to and that are not there
   */
  private boolean names(MapNode volume, ApiObject pod, String audience, Set<String> missing) {
    for (MapNode source : volume.map("projected").maps("sources")) {
      if (source.has("serviceAccountToken")
          && source.map("serviceAccountToken").text("audience").equals(audience)) {
        return true;
      }
    }
    String driver = driver(volume, pod, missing);
    return !driver.isEmpty() && requests(driver, audience, missing);
  }

  /** The CSI driver of a volume, or empty if it has none. */
  private String driver(MapNode volume, ApiObject pod, Set<String> missing) {
    if (volume.has("ephemeral")) {
      return claimDriver(pod, pod.meta().name() + "-" + volume.text("name"), missing);
    }
    if (volume.has("persistentVolumeClaim")) {
      return claimDriver(pod, volume.map("persistentVolumeClaim").text("claimName"), missing);
    }
    return sourceDriver(volume);
  }

  private String claimDriver(ApiObject pod, String name, Set<String> missing) {
    ApiObject claim = objects.find(CLAIMS, pod.meta().namespace(), name).orElse(null);
    if (claim == null) {
      missing.add("persistentvolumeclaim " + GoQuote.quote(name) + " not found");
      return "";
    }
    String volumeName = claim.root().map("spec").text("volumeName");
    ApiObject volume =
        volumeName.isEmpty() ? null : objects.find(VOLUMES, "", volumeName).orElse(null);
    if (volume == null) {
      missing.add("persistentvolume " + GoQuote.quote(volumeName) + " not found");
      return "";
    }
    return sourceDriver(volume.root().map("spec"));
  }

  /** The driver of a volume's source: the one it names, or the one its plugin has become. */
  private static String sourceDriver(MapNode source) {
    if (source.has("csi")) {
      return source.map("csi").text("driver");
    }
    for (Map.Entry<String, String> plugin : MIGRATED.entrySet()) {
      if (source.has(plugin.getKey())) {
        return plugin.getValue();
      }
    }
    return "";
  }

  private boolean requests(String name, String audience, Set<String> missing) {
    ApiObject driver = objects.find(DRIVERS, "", name).orElse(null);
    if (driver == null) {
      missing.add("csidriver.storage.k8s.io " + GoQuote.quote(name) + " not found");
      return false;
    }
    return driver.root().map("spec").maps("tokenRequests").stream()
        .anyMatch(request -> request.text("audience").equals(audience));
  }
}
