package dev.keelson.admission.plugin.node;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.admission.PodReferences;
import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Optional;

/**
 * Checks the pods that a kubelet creates: mirror pods of its node without references to other
 * objects, since references would grant the node access to them.
 *
 * @param objects looks up the node
 */
record MirrorPods(ClusterObjects objects) {

  private static final String MIRROR = "kubernetes.io/config.mirror";
  private static final GroupVersionResource NODES = GroupVersion.CORE_V1.resource("nodes");

  void check(String node, AdmissionAttributes call, ApiObject pod) {
    String who = "node \"" + node + "\"";
    if (!pod.meta().annotations().containsKey(MIRROR)) {
      throw call.forbidden(
          "pod does not have \"%s\" annotation, %s can only create mirror pods"
              .formatted(MIRROR, who));
    }
    MapNode spec = pod.root().map("spec");
    if (!spec.text("nodeName").equals(node)) {
      throw call.forbidden(who + " can only create pods with spec.nodeName set to itself");
    }
    owner(node, who, call, pod);
    if (!spec.text("serviceAccountName").isEmpty()) {
      throw cannotRefer(call, who, "a service account");
    }
    if (PodReferences.toSecrets(spec)) {
      throw cannotRefer(call, who, "secrets");
    }
    if (PodReferences.toConfigMaps(spec)) {
      throw cannotRefer(call, who, "configmaps");
    }
    for (MapNode volume : spec.maps("volumes")) {
      for (MapNode source : volume.map("projected").maps("sources")) {
        if (source.has("clusterTrustBundle")) {
          throw cannotRefer(call, who, "clustertrustbundles");
        }
      }
    }
    for (MapNode volume : spec.maps("volumes")) {
      if (volume.has("persistentVolumeClaim")) {
        throw cannotRefer(call, who, "persistentvolumeclaims");
      }
    }
    if (!spec.items("resourceClaims").isEmpty()) {
      throw cannotRefer(call, who, "resourceclaims");
    }
  }

  private void owner(String node, String who, AdmissionAttributes call, ApiObject pod) {
    List<MapNode> owners = pod.meta().node().maps("ownerReferences");
    if (owners.size() > 1) {
      throw call.forbidden(
          who + " can only create pods with a single owner reference set to itself");
    }
    MapNode owner = owners.isEmpty() ? MapNode.EMPTY : owners.getFirst();
    if (!owner.text("apiVersion").equals("v1")
        || !owner.text("kind").equals("Node")
        || !owner.text("name").equals(node)) {
      throw call.forbidden(who + " can only create pods with an owner reference set to itself");
    }
    if (owner.get("controller") != Node.Bool.TRUE) {
      throw call.forbidden(
          who + " can only create pods with a controller owner reference set to itself");
    }
    if (owner.get("blockOwnerDeletion") == Node.Bool.TRUE) {
      throw call.forbidden(who + " must not set blockOwnerDeletion on an owner reference");
    }
    Optional<ApiObject> own = objects.find(NODES, "", node);
    if (own.isEmpty()) {
      throw ApiException.notFound(NODES.groupResource(), node);
    }
    if (!own.get().meta().uid().equals(owner.text("uid"))) {
      throw call.forbidden(
          "node %s UID mismatch: expected %s got %s"
              .formatted(node, owner.text("uid"), own.get().meta().uid()));
    }
  }

  private static ApiException cannotRefer(AdmissionAttributes call, String who, String what) {
    return call.forbidden(who + " can not create pods that reference " + what);
  }
}
