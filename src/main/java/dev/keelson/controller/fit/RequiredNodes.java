package dev.keelson.controller.fit;

import dev.keelson.object.Node.MapNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes on which a pod may be, by its nodeSelector and its required node affinity.
 *
 * @param labels each must be on the node
 * @param affinity null if there is none
 */
public record RequiredNodes(Map<String, String> labels, @Nullable NodeSelection affinity) {

  /** All nodes. */
  public static final RequiredNodes ALL = new RequiredNodes(Map.of(), null);

  public RequiredNodes {
    labels = Map.copyOf(labels);
  }

  /** Reads a pod's spec. */
  public static RequiredNodes of(MapNode spec) {
    MapNode affinity = spec.map("affinity").map("nodeAffinity");
    String required = "requiredDuringSchedulingIgnoredDuringExecution";
    if (!spec.has("nodeSelector") && !affinity.has(required)) {
      return ALL;
    }
    return new RequiredNodes(
        spec.map("nodeSelector").texts(),
        affinity.has(required) ? NodeSelection.of(affinity.map(required)) : null);
  }

  /**
   * The names of the only nodes that can match, if every term of the affinity names some (source:
   * kube-scheduler's plug-in NodeAffinity); empty if the terms contradict themselves, null if names
   * do not matter.
   */
  public @Nullable Set<String> names() {
    if (affinity == null || affinity.terms().isEmpty()) {
      return null;
    }
    Set<String> names = new HashSet<>();
    for (NodeSelection.Term term : affinity.terms()) {
      Set<String> ofTerm = term.onlyNames();
      if (ofTerm == null) {
        return null;
      }
      names.addAll(ofTerm);
    }
    return names;
  }

  /** Whether a pod may be on a node. */
  public boolean matches(String name, Map<String, String> nodeLabels) {
    for (Map.Entry<String, String> label : labels.entrySet()) {
      if (!label.getValue().equals(nodeLabels.get(label.getKey()))) {
        return false;
      }
    }
    return affinity == null || affinity.matches(name, nodeLabels);
  }
}
