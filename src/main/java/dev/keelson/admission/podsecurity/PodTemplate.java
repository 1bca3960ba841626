package dev.keelson.admission.podsecurity;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What checks look at: a pod, or the template of one.
 *
 * @param annotations the annotations
 * @param spec the spec
 * @param containers the init, plain and ephemeral containers, in this order
 */
record PodTemplate(Map<String, String> annotations, MapNode spec, List<MapNode> containers) {

  /**
   * @param root an object with metadata and spec
   */
  static PodTemplate of(MapNode root) {
    MapNode spec = root.map("spec");
    List<MapNode> containers = new ArrayList<>(spec.maps("initContainers"));
    containers.addAll(spec.maps("containers"));
    containers.addAll(spec.maps("ephemeralContainers"));
    return new PodTemplate(root.map("metadata").map("annotations").texts(), spec, containers);
  }

  MapNode securityContext() {
    return spec.map("securityContext");
  }

  /** Whether the pod runs on Windows, for which some fields must not be set. */
  boolean windows() {
    return spec.map("os").text("name").equals("windows");
  }

  /** Whether the pod has a user namespace, in which root is nobody on the host. */
  boolean ownUserNamespace() {
    return spec.get("hostUsers") == Node.Bool.FALSE;
  }

  /** The names of containers whose securityContext satisfies {@code condition}. */
  List<String> containersWith(Predicate<MapNode> condition) {
    List<String> names = new ArrayList<>();
    for (MapNode container : containers) {
      if (condition.test(container.map("securityContext"))) {
        names.add(container.text("name"));
      }
    }
    return names;
  }
}
