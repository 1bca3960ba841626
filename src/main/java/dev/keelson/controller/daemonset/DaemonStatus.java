package dev.keelson.controller.daemonset;

import dev.keelson.controller.daemonset.DaemonFit.Verdict;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The status that nodes and pods make (source: {@code updateDaemonSetStatus}). */
final class DaemonStatus {

  private static final List<String> ALWAYS =
      List.of(
          "currentNumberScheduled", "numberMisscheduled", "desiredNumberScheduled", "numberReady");

  private DaemonStatus() {}

  /**
   * @param collisions how often names of revisions have collided
   * @param observed the generation that the pods are of
   */
  static MapNode of(
      DaemonSet set,
      String hash,
      List<DaemonNode> nodes,
      DaemonFit fit,
      List<PodFacts> pods,
      int collisions,
      long observed,
      Instant now) {
    Map<String, List<PodFacts>> byNode = NodePods.byNode(pods);
    int wanted = 0;
    int current = 0;
    int misplaced = 0;
    int ready = 0;
    int updated = 0;
    int available = 0;
    for (DaemonNode node : nodes) {
      List<PodFacts> own = byNode.getOrDefault(node.name(), List.of());
      if (fit.on(node) != Verdict.RUN) {
        misplaced += own.isEmpty() ? 0 : 1;
        continue;
      }
      wanted++;
      if (!own.isEmpty()) {
        PodFacts pod = own.getFirst();
        current++;
        ready += pod.ready() ? 1 : 0;
        available += pod.available(set.minReady(), now) ? 1 : 0;
        updated += set.isUpdated(pod, hash) ? 1 : 0;
      }
    }
    MapNode status = set.status();
    status = with(status, "currentNumberScheduled", current);
    status = with(status, "numberMisscheduled", misplaced);
    status = with(status, "desiredNumberScheduled", wanted);
    status = with(status, "numberReady", ready);
    status = with(status, "updatedNumberScheduled", updated);
    status = with(status, "numberAvailable", available);
    status = with(status, "numberUnavailable", wanted - available);
    status = with(status, "collisionCount", collisions);
    return observed == 0 ? status : status.with("observedGeneration", new Node.Int(observed));
  }

  private static MapNode with(MapNode status, String key, int value) {
    return value == 0 && !ALWAYS.contains(key)
        ? status.without(key)
        : status.with(key, new Node.Int(value));
  }

  /** Whether a status differs from the stored one in what it tells. */
  static boolean differs(MapNode status, MapNode stored) {
    for (String key : ALWAYS) {
      if (Numbers.of(status, key, 0) != Numbers.of(stored, key, 0)) {
        return true;
      }
    }
    MapNode rest = status;
    MapNode other = stored;
    for (String key : ALWAYS) {
      rest = rest.without(key);
      other = other.without(key);
    }
    return !rest.equals(other);
  }
}
