package dev.keelson.controller.ipam;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import java.util.List;

/**
 * The blocks of a node.
 *
 * @param cidrs as they are in {@code spec.podCIDRs}; empty if it has none yet
 */
record NodeCidrs(String name, String uid, List<String> cidrs) {

  static final GroupVersionResource RESOURCE = GroupVersion.CORE_V1.resource("nodes");

  static final InformerType<NodeCidrs> TYPE =
      new InformerType<>(RESOURCE, NodeCidrs::of, List.of());

  NodeCidrs {
    cidrs = List.copyOf(cidrs);
  }

  static NodeCidrs of(ApiObject node) {
    return new NodeCidrs(
        node.meta().name(),
        node.meta().uid(),
        node.root().map("spec").items("podCIDRs").stream()
            .map(cidr -> cidr instanceof Node.Text text ? text.value() : "")
            .toList());
  }
}
