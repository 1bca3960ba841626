package dev.keelson.controller.node;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The taints that follow from a node's conditions (source: kube-controller-manager's {@code
 * nodelifecycle}, {@code nodeConditionToTaintKeyStatusMap}).
 */
final class ConditionTaints {

  private static final String PREFIX = "node.kubernetes.io/";
  private static final String UNSCHEDULABLE = PREFIX + "unschedulable";

  /** The key of the taint by the condition and its status. */
  private static final Map<String, Map<String, String>> KEYS =
      Map.of(
          "Ready", Map.of("False", PREFIX + "not-ready", "Unknown", PREFIX + "unreachable"),
          "MemoryPressure", Map.of("True", PREFIX + "memory-pressure"),
          "DiskPressure", Map.of("True", PREFIX + "disk-pressure"),
          "NetworkUnavailable", Map.of("True", PREFIX + "network-unavailable"),
          "PIDPressure", Map.of("True", PREFIX + "pid-pressure"));

  private static final Set<String> ALL = all();

  private ConditionTaints() {}

  private static Set<String> all() {
    Set<String> all = new HashSet<>(Set.of(UNSCHEDULABLE));
    KEYS.values().forEach(byStatus -> all.addAll(byStatus.values()));
    return Set.copyOf(all);
  }

  /** The keys of the taints that a node is to have. */
  private static Set<String> wanted(NodeFacts node) {
    Set<String> wanted = new HashSet<>();
    node.conditions()
        .forEach(
            (type, status) -> {
              String key = KEYS.getOrDefault(type, Map.of()).get(status);
              if (key != null) {
                wanted.add(key);
              }
            });
    if (node.unschedulable()) {
      wanted.add(UNSCHEDULABLE);
    }
    return wanted;
  }

  /** Whether the taints of a node follow from its conditions. */
  static boolean areRight(NodeFacts node) {
    Set<String> present = new HashSet<>(node.noSchedule());
    present.retainAll(ALL);
    return present.equals(wanted(node));
  }

  /** The node with the taints that follow from its conditions, and all others. */
  static ApiObject corrected(ApiObject node) {
    Set<String> wanted = wanted(NodeFacts.of(node));
    List<Node> taints = new ArrayList<>();
    for (MapNode taint : node.root().map("spec").maps("taints")) {
      boolean ours = taint.text("effect").equals("NoSchedule") && ALL.contains(taint.text("key"));
      if (!ours || wanted.remove(taint.text("key"))) {
        taints.add(taint);
      }
    }
    wanted.stream()
        .sorted()
        .map(key -> MapNode.of("key", Node.text(key)).with("effect", Node.text("NoSchedule")))
        .forEach(taints::add);
    MapNode spec = node.root().map("spec");
    return node.with(
        "spec", taints.isEmpty() ? spec.without("taints") : spec.with("taints", new Items(taints)));
  }
}
