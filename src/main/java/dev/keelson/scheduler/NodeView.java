package dev.keelson.scheduler;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.fit.Resources;
import dev.keelson.controller.fit.Taint;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Map;

/**
 * What the scheduler reads of a node.
 *
 * @param allocatable what its pods may request together
 * @param pods how many pods it may have
 */
record NodeView(
    String name,
    Map<String, String> labels,
    List<Taint> taints,
    boolean unschedulable,
    Resources allocatable,
    long pods) {

  static final InformerType<NodeView> TYPE =
      new InformerType<>(GroupVersion.CORE_V1.resource("nodes"), NodeView::of, List.of());

  NodeView {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  static NodeView of(ApiObject node) {
    MapNode spec = node.root().map("spec");
    MapNode allocatable = node.root().map("status").map("allocatable");
    return new NodeView(
        node.meta().name(),
        node.meta().labels(),
        Taint.of(spec),
        spec.get("unschedulable") instanceof Node.Bool set && set.value(),
        Resources.of(allocatable),
        Resources.whole(allocatable, "pods"));
  }
}
