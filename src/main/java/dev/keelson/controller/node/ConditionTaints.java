package dev.keelson.controller.node;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
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

  /** The taints that have the pods of nodes evicted that are not ready. */
  private static final Set<String> EVICTING = Set.of(PREFIX + "not-ready", PREFIX + "unreachable");

  private ConditionTaints() {}

  /** The key of the NoExecute taint that a node is to have; empty for none. */
  static String evicting(NodeFacts node) {
    String status = node.conditions().getOrDefault(NodeFacts.READY, "");
    return KEYS.getOrDefault(NodeFacts.READY, Map.of()).getOrDefault(status, "");
  }

  /** The keys of the NoExecute taints of this controller that a node has. */
  static Set<String> presentEvicting(NodeFacts node) {
    Set<String> present = new HashSet<>(node.noExecute());
    present.retainAll(EVICTING);
    return present;
  }

  /** The node with the NoExecute taint that it is to have, and none of the others of its kind. */
  static ApiObject withEvicting(ApiObject node, Instant now) {
    String wanted = evicting(NodeFacts.of(node));
    List<Node> taints = new ArrayList<>();
    boolean present = false;
    for (MapNode taint : node.root().map("spec").maps("taints")) {
      boolean ours =
          taint.text("effect").equals("NoExecute") && EVICTING.contains(taint.text("key"));
      boolean same = ours && taint.text("key").equals(wanted);
      present |= same;
      if (!ours || same) {
        taints.add(taint);
      }
    }
    if (!present && !wanted.isEmpty()) {
      taints.add(taint(wanted, "NoExecute", now));
    }
    return withTaints(node, taints);
  }

  /** A taint that tells since when the node has it. */
  private static MapNode taint(String key, String effect, Instant now) {
    return MapNode.builder(3)
        .put("key", Node.text(key))
        .put("effect", Node.text(effect))
        .put("timeAdded", Node.text(Times.text(now)))
        .build();
  }

  private static ApiObject withTaints(ApiObject node, List<Node> taints) {
    MapNode spec = node.root().map("spec");
    return node.with(
        "spec", taints.isEmpty() ? spec.without("taints") : spec.with("taints", new Items(taints)));
  }

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
  static ApiObject corrected(ApiObject node, Instant now) {
    Set<String> wanted = wanted(NodeFacts.of(node));
    List<Node> taints = new ArrayList<>();
    for (MapNode taint : node.root().map("spec").maps("taints")) {
      boolean ours = taint.text("effect").equals("NoSchedule") && ALL.contains(taint.text("key"));
      if (!ours || wanted.remove(taint.text("key"))) {
        taints.add(taint);
      }
    }
    wanted.stream().sorted().map(key -> taint(key, "NoSchedule", now)).forEach(taints::add);
    return withTaints(node, taints);
  }
}
