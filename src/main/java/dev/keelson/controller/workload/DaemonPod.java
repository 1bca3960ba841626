package dev.keelson.controller.workload;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The node of a pod of a DaemonSet: it is in the required node affinity of the pod. */
public final class DaemonPod {

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String NAME = "metadata.name";

  private DaemonPod() {}

  /** The node of a pod of a DaemonSet, before and after it is scheduled; empty for other pods. */
  static String target(ApiObject pod, @Nullable Owner owner) {
    if (owner == null || !owner.kind().equals("DaemonSet")) {
      return "";
    }
    MapNode spec = pod.root().map("spec");
    String node = spec.text("nodeName");
    if (!node.isEmpty()) {
      return node;
    }
    MapNode required = spec.map("affinity").map("nodeAffinity").map(REQUIRED);
    for (MapNode term : required.maps("nodeSelectorTerms")) {
      for (MapNode field : term.maps("matchFields")) {
        List<Node> values = field.items("values");
        if (field.text("key").equals(NAME)
            && field.text("operator").equals("In")
            && values.size() == 1
            && values.getFirst() instanceof Node.Text name) {
          return name.value();
        }
      }
    }
    return "";
  }

  /** The spec of a pod with a node as its only one. */
  public static MapNode onNode(MapNode spec, String node) {
    MapNode field =
        MapNode.builder(3)
            .put("key", Node.text(NAME))
            .put("operator", Node.text("In"))
            .put("values", new Node.Items(List.of(Node.text(node))))
            .build();
    MapNode term = MapNode.of("matchFields", new Node.Items(List.of(field)));
    MapNode terms = MapNode.of("nodeSelectorTerms", new Node.Items(List.of(term)));
    MapNode affinity = spec.map("affinity");
    return spec.with(
        "affinity",
        affinity.with("nodeAffinity", affinity.map("nodeAffinity").with(REQUIRED, terms)));
  }
}
