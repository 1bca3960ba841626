package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.function.Function;

/**
 * Addresses that have an old field for one of them and a new one for all: the old one is the first
 * of the new one, and counts where they differ, since old clients know no other (source:
 * Kubernetes' conversion of pods and nodes).
 */
final class AddressRules {

  private AddressRules() {}

  /** The addresses of a pod. */
  static MapNode podStatus(MapNode status) {
    return together(
        status,
        "podIP",
        "podIPs",
        item -> item instanceof MapNode map ? map.text("ip") : "",
        address -> MapNode.of("ip", Node.text(address)));
  }

  /** The ranges of the pods of a node. */
  static MapNode nodeSpec(MapNode spec) {
    return together(
        spec,
        "podCIDR",
        "podCIDRs",
        item -> item instanceof Node.Text text ? text.value() : "",
        Node::text);
  }

  private static MapNode together(
      MapNode struct,
      String one,
      String all,
      Function<Node, String> shown,
      Function<String, Node> item) {
    String single = struct.text(one);
    List<Node> many = struct.items(all);
    String first = many.isEmpty() ? "" : shown.apply(many.getFirst());
    if (single.equals(first)) {
      return struct;
    }
    return single.isEmpty()
        ? struct.with(one, Node.text(first))
        : struct.with(all, new Node.Items(List.of(item.apply(single))));
  }
}
