package dev.keelson.controller.node;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.controller.fit.Taint;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What controllers read of a node.
 *
 * @param conditions the status of each condition by its type
 * @param heartbeat when the kubelet told its conditions last
 * @param noSchedule the keys of taints with the effect NoSchedule
 * @param noExecute the keys of taints with the effect NoExecute
 * @param zone its region and zone
 * @param tellsOfItsZone whether its state counts for that of its zone
 * @param unschedulable whether it is cordoned
 * @param secondsToLive the annotation {@link #SECONDS_TO_LIVE}; empty if it is not set
 * @param oldLabels the labels that it should have besides those of today, and has not
 */
record NodeFacts(
    String name,
    String uid,
    Map<String, String> conditions,
    String heartbeat,
    Set<String> noSchedule,
    Set<String> noExecute,
    String zone,
    boolean tellsOfItsZone,
    boolean unschedulable,
    String secondsToLive,
    Map<String, String> oldLabels) {

  static final GroupVersionResource RESOURCE = GroupVersion.CORE_V1.resource("nodes");

  static final InformerType<NodeFacts> TYPE =
      new InformerType<>(RESOURCE, NodeFacts::of, List.of());

  static final String READY = "Ready";

  /** For how long the kubelet may use Secrets and ConfigMaps that it has read. */
  static final String SECONDS_TO_LIVE = "node.alpha.kubernetes.io/ttl";

  /** The label of nodes that often are away, which says nothing of their zone. */
  private static final String EXCLUDED = "node.kubernetes.io/exclude-disruption";

  /** The old names of labels by those of today: clients may select by either. */
  private static final Map<String, String> OLD_LABELS =
      Map.of(
          "kubernetes.io/os", "beta.kubernetes.io/os",
          "kubernetes.io/arch", "beta.kubernetes.io/arch");

  NodeFacts {
    conditions = Map.copyOf(conditions);
    noSchedule = Set.copyOf(noSchedule);
    noExecute = Set.copyOf(noExecute);
    oldLabels = Map.copyOf(oldLabels);
  }

  static NodeFacts of(ApiObject node) {
    MapNode spec = node.root().map("spec");
    Map<String, String> labels = node.meta().labels();
    Map<String, String> conditions = new HashMap<>();
    String heartbeat = "";
    for (MapNode condition : node.root().map("status").maps("conditions")) {
      conditions.put(condition.text("type"), condition.text("status"));
      if (condition.text("type").equals(READY)) {
        heartbeat = condition.text("lastHeartbeatTime");
      }
    }
    return new NodeFacts(
        node.meta().name(),
        node.meta().uid(),
        conditions,
        heartbeat,
        keys(spec, Taint.NO_SCHEDULE),
        keys(spec, Taint.NO_EXECUTE),
        labels.getOrDefault("topology.kubernetes.io/region", "")
            + ":"
            + labels.getOrDefault("topology.kubernetes.io/zone", ""),
        !labels.containsKey(EXCLUDED),
        spec.get("unschedulable") instanceof Node.Bool set && set.value(),
        node.meta().annotations().getOrDefault(SECONDS_TO_LIVE, ""),
        oldLabels(labels));
  }

  private static Map<String, String> oldLabels(Map<String, String> labels) {
    Map<String, String> missing = new HashMap<>();
    OLD_LABELS.forEach(
        (today, old) -> {
          String value = labels.get(today);
          if (value != null && !value.equals(labels.get(old))) {
            String unused = missing.put(old, value);
          }
        });
    return missing;
  }

  private static Set<String> keys(MapNode spec, String effect) {
    return Taint.of(spec).stream()
        .filter(taint -> taint.effect().equals(effect))
        .map(Taint::key)
        .collect(Collectors.toSet());
  }

  /** Whether its kubelet tells that it is ready. */
  boolean ready() {
    return "True".equals(conditions.get(READY));
  }
}
