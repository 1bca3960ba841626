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
 * @param images the sizes in bytes of the images that it has, by their names
 */
record NodeView(
    String name,
    Map<String, String> labels,
    List<Taint> taints,
    boolean unschedulable,
    Resources allocatable,
    long pods,
    Map<String, Long> images) {

  static final InformerType<NodeView> TYPE =
      new InformerType<>(GroupVersion.CORE_V1.resource("nodes"), NodeView::of, List.of());

  NodeView {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    images = Map.copyOf(images);
  }

  static NodeView of(ApiObject node) {
    MapNode spec = node.root().map("spec");
    MapNode status = node.root().map("status");
    MapNode allocatable = status.map("allocatable");
    return new NodeView(
        node.meta().name(),
        node.meta().labels(),
        Taint.of(spec),
        spec.get("unschedulable") instanceof Node.Bool set && set.value(),
        Resources.of(allocatable),
        Resources.whole(allocatable, "pods"),
        Images.onNode(status));
  }
}
