package dev.keelson.scheduler.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the scheduler keeps of a CSINode.
 *
 * @param limits how many volumes can be attached, by the name of the driver; drivers without a
 *     limit are left out
 */
record CsiNode(Map<String, Long> limits) {

  static final InformerType<CsiNode> TYPE =
      new InformerType<>(
          new GroupVersion("storage.k8s.io", "v1").resource("csinodes"), CsiNode::of, List.of());

  CsiNode {
    limits = Map.copyOf(limits);
  }

  static CsiNode of(ApiObject node) {
    Map<String, Long> limits = new HashMap<>();
    for (MapNode driver : node.root().map("spec").maps("drivers")) {
      if (driver.map("allocatable").get("count") instanceof Node.Int count) {
        limits.put(driver.text("name"), count.value());
      }
    }
    return new CsiNode(limits);
  }
}
