package dev.keelson.controller.endpoint;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.fit.Resources;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * What of a node decides about its zone.
 *
 * @param zone empty if it is in none
 * @param counts whether its processors count: it is ready and not of the control plane
 * @param milliCpu thousandths of the processors that pods may use
 */
record NodeZone(String zone, boolean counts, long milliCpu) {

  static final InformerType<NodeZone> TYPE =
      new InformerType<>(GroupVersion.CORE_V1.resource("nodes"), NodeZone::of, List.of());

  private static final List<String> CONTROL_PLANE =
      List.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

  private static NodeZone of(ApiObject node) {
    MapNode status = node.root().map("status");
    boolean ready =
        status.maps("conditions").stream()
            .anyMatch(
                each -> each.text("type").equals("Ready") && each.text("status").equals("True"));
    return new NodeZone(
        node.meta().labels().getOrDefault("topology.kubernetes.io/zone", ""),
        ready && CONTROL_PLANE.stream().noneMatch(node.meta().labels()::containsKey),
        Resources.of(status.map("allocatable")).milliCpu());
  }
}
