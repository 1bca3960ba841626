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
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.List;

/**
 * NodeDeclaredFeatureValidator: a change of a pod that is bound needs the features that its node
 * declares in {@code status.declaredFeatures} (KEP-5328). The features are those of 1.36 that a
 * change of a pod may need; the others concern the scheduler alone.
 */
public final class NodeDeclaredFeatures implements Admission {

  private static final GroupVersionResource NODES = GroupVersion.CORE_V1.resource("nodes");

  private final ClusterObjects objects;

  public NodeDeclaredFeatures(ClusterObjects objects) {
    this.objects = objects;
  }

  @Override
  public boolean handles(Verb operation, GroupResource resource, String subresource) {
    return operation == Verb.UPDATE
        && resource.equals(new GroupResource("", "pods"))
        && (subresource.isEmpty() || subresource.equals("resize"));
  }

  @Override
  public void validate(AdmissionAttributes call) {
    ApiObject next = call.object();
    ApiObject current = call.current();
    if (next == null || current == null) {
      return;
    }
    String name = next.root().map("spec").text("nodeName");
    if (name.isEmpty() || next.meta().generation() == current.meta().generation()) {
      return;
    }
    List<String> needed = needed(current.root().map("spec"), next.root().map("spec"));
    if (needed.isEmpty()) {
      return;
    }
    ApiObject node =
        objects
            .find(NODES, "", name)
            .orElseThrow(() -> call.forbidden("node " + GoQuote.quote(name) + " not found"));
    for (Node declared : node.root().map("status").items("declaredFeatures")) {
      needed.removeIf(feature -> declared.equals(Node.text(feature)));
    }
    if (!needed.isEmpty()) {
      throw call.forbidden(
          "pod update requires features "
              + String.join(", ", needed)
              + " which are not available on node "
              + GoQuote.quote(name));
    }
  }

  /** The names of the features that a change needs, sorted; modifiable. */
  private static List<String> needed(MapNode before, MapNode after) {
    List<String> features = new ArrayList<>();
    if (!before.map("resources").equals(after.map("resources"))) {
      features.add("InPlacePodLevelResourcesVerticalScaling");
    }
    if (changesStarting(before.maps("initContainers"), after.maps("initContainers"))) {
      features.add("InPlacePodVerticalScalingInitContainers");
    }
    return features;
  }

  /** Whether the resources of init containers that end by themselves differ. */
  private static boolean changesStarting(List<MapNode> before, List<MapNode> after) {
    for (int i = 0; i < before.size() && i < after.size(); i++) {
      MapNode container = before.get(i);
      if (!container.text("restartPolicy").equals("Always")
          && !container.map("resources").equals(after.get(i).map("resources"))) {
        return true;
      }
    }
    return false;
  }
}
