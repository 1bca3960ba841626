package dev.keelson.controller.replicaset;

import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.controller.workload.ReplicaSetFacts.Variant;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of a ReplicaSet or ReplicationController (source: Kubernetes' {@code
 * replica_set_utils.go}).
 */
final class ReplicaSetStatus {

  private static final String FAILURE = "ReplicaFailure";

  private ReplicaSetStatus() {}

  /**
   * Why pods could not be created or deleted.
   *
   * @param reason {@code FailedCreate} or {@code FailedDelete}
   */
  record Failure(String reason, String message) {}

  /**
   * The status that the pods make.
   *
   * @param pods those of the ReplicaSet
   * @param failure null if none
   */
  static MapNode of(
      ReplicaSetFacts set, List<PodFacts> pods, @Nullable Failure failure, Instant now) {
    int replicas = 0;
    int labeled = 0;
    int ready = 0;
    int available = 0;
    int terminating = 0;
    for (PodFacts pod : pods) {
      if (pod.active()) {
        replicas++;
        labeled += hasAll(pod.labels(), set.templateLabels()) ? 1 : 0;
        ready += pod.ready() ? 1 : 0;
        available += pod.available(set.minReady(), now) ? 1 : 0;
      } else if (!pod.ended()) {
        terminating++;
      }
    }
    MapNode.Builder status = MapNode.builder(7).put("replicas", new Node.Int(replicas));
    put(status, "fullyLabeledReplicas", labeled);
    put(status, "readyReplicas", ready);
    put(status, "availableReplicas", available);
    if (set.variant() == Variant.REPLICA_SET) {
      status.put("terminatingReplicas", new Node.Int(terminating));
    }
    status.put("observedGeneration", new Node.Int(set.generation()));
    List<Node> conditions = conditions(set.status(), failure, now);
    if (!conditions.isEmpty()) {
      status.put("conditions", new Node.Items(conditions));
    }
    return status.build();
  }

  private static void put(MapNode.Builder status, String key, int value) {
    if (value != 0) {
      status.put(key, new Node.Int(value));
    }
  }

  private static boolean hasAll(Map<String, String> labels, Map<String, String> wanted) {
    return labels.entrySet().containsAll(wanted.entrySet());
  }

  private static List<Node> conditions(MapNode old, @Nullable Failure failure, Instant now) {
    List<Node> conditions = new ArrayList<>();
    boolean known = false;
    for (Node item : old.items("conditions")) {
      boolean ours = item instanceof MapNode condition && condition.text("type").equals(FAILURE);
      if (!ours || failure != null) {
        conditions.add(item);
      }
      known |= ours;
    }
    if (failure != null && !known) {
      conditions.add(
          MapNode.builder(5)
              .put("type", Node.text(FAILURE))
              .put("status", Node.text("True"))
              .put("lastTransitionTime", Node.text(now.truncatedTo(ChronoUnit.SECONDS).toString()))
              .put("reason", Node.text(failure.reason()))
              .put("message", Node.text(failure.message()))
              .build());
    }
    return conditions;
  }
}
