package dev.keelson.scheduler.device;

import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The nodes from which devices can be used.
 *
 * @param node the only one; empty if there is not just one
 * @param all whether all can
 * @param selector selects them; empty if it is not given
 * @param selection the same; null if it is not given
 */
record Placement(String node, boolean all, MapNode selector, @Nullable NodeSelection selection) {

  /** The placement that a ResourceSlice or a device gives. */
  static Placement of(MapNode source) {
    boolean selects = source.has("nodeSelector");
    return new Placement(
        source.text("nodeName"),
        source.get("allNodes") instanceof Node.Bool is && is.value(),
        source.map("nodeSelector"),
        selects ? NodeSelection.of(source.map("nodeSelector")) : null);
  }

  boolean includes(String name, Map<String, String> labels) {
    if (!node.isEmpty()) {
      return node.equals(name);
    }
    return all || (selection != null && selection.matches(name, labels));
  }
}
