package dev.keelson.controller.daemonset;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.fit.Taint;
import dev.keelson.object.ApiObject;
import java.util.List;
import java.util.Map;

/** What decides whether pods of DaemonSets are on a node. */
public record DaemonNode(String name, Map<String, String> labels, List<Taint> taints) {

  /** Informers of nodes. */
  public static final InformerType<DaemonNode> TYPE =
      new InformerType<>(GroupVersion.CORE_V1.resource("nodes"), DaemonNode::of, List.of());

  public DaemonNode {
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
  }

  private static DaemonNode of(ApiObject node) {
    return new DaemonNode(
        node.meta().name(), node.meta().labels(), Taint.of(node.root().map("spec")));
  }
}
