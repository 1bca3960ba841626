package dev.keelson.admission.plugin.node;

import dev.keelson.admission.Admission;
import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.admission.ClusterObjects;
import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * PodTopologyLabels: copies the zone and region of the node to the pod that is bound to it, so that
 * containers can read them (KEP-4742). They replace those that the pod has.
 */
public final class PodTopologyLabels implements Admission {

  private static final GroupVersionResource NODES = GroupVersion.CORE_V1.resource("nodes");
  private static final List<String> LABELS =
      List.of("topology.kubernetes.io/zone", "topology.kubernetes.io/region");

  private final ClusterObjects objects;

  public PodTopologyLabels(ClusterObjects objects) {
    this.objects = objects;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.CREATE
        && resource.equals(new GroupResource("", "pods"))
        && (subresource.isEmpty() || subresource.equals("binding"));
  }

  @Override
  public ApiObject mutate(AdmissionAttributes call, ApiObject object) {
    String name = node(call, object);
    Optional<ApiObject> node = name.isEmpty() ? Optional.empty() : objects.find(NODES, "", name);
    return node.map(found -> labelled(object, found.meta().labels())).orElse(object);
  }

  private static String node(AdmissionAttributes call, ApiObject object) {
    if (call.subresource().isEmpty()) {
      return object.root().map("spec").text("nodeName");
    }
    MapNode target = object.root().map("target");
    return target.text("kind").equals("Node") ? target.text("name") : "";
  }

  private static ApiObject labelled(ApiObject object, Map<String, String> nodeLabels) {
    MapNode labels = object.meta().node().map("labels");
    for (String key : LABELS) {
      String value = nodeLabels.get(key);
      if (value != null) {
        labels = labels.with(key, Node.text(value));
      }
    }
    return labels.isEmpty() ? object : object.withMeta(object.meta().with("labels", labels));
  }
}
