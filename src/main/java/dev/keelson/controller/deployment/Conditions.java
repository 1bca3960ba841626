package dev.keelson.controller.deployment;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The conditions in the status of a Deployment (source: {@code deployment_util.go}). */
final class Conditions {

  static final String AVAILABLE = "Available";
  static final String PROGRESSING = "Progressing";
  static final String REPLICA_FAILURE = "ReplicaFailure";

  static final String MINIMUM_AVAILABLE = "MinimumReplicasAvailable";
  static final String MINIMUM_UNAVAILABLE = "MinimumReplicasUnavailable";
  static final String FOUND_SET = "FoundNewReplicaSet";
  static final String NEW_SET = "NewReplicaSetCreated";
  static final String SET_UPDATED = "ReplicaSetUpdated";
  static final String SET_AVAILABLE = "NewReplicaSetAvailable";
  static final String SET_FAILED = "ReplicaSetCreateError";
  static final String TIMED_OUT = "ProgressDeadlineExceeded";
  static final String PAUSED = "DeploymentPaused";
  static final String RESUMED = "DeploymentResumed";

  private Conditions() {}

  static MapNode of(String type, String status, Instant now, String reason, String message) {
    Node time = Node.text(Times.text(now));
    return MapNode.builder(6)
        .put("type", Node.text(type))
        .put("status", Node.text(status))
        .put("lastUpdateTime", time)
        .put("lastTransitionTime", time)
        .put("reason", Node.text(reason))
        .put("message", Node.text(message))
        .build();
  }

  static @Nullable MapNode find(MapNode status, String type) {
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals(type)) {
        return condition;
      }
    }
    return null;
  }

  static boolean hasReason(MapNode status, String type, String reason) {
    MapNode condition = find(status, type);
    return condition != null && condition.text("reason").equals(reason);
  }

  /**
   * Sets a condition; one with the same status and reason stays as it is, and the time of the
   * transition stays while the status does.
   */
  static MapNode set(MapNode status, MapNode condition) {
    MapNode current = find(status, condition.text("type"));
    if (current == null) {
      return replaced(status, condition);
    }
    boolean sameStatus = current.text("status").equals(condition.text("status"));
    if (sameStatus && current.text("reason").equals(condition.text("reason"))) {
      return status;
    }
    return replaced(status, sameStatus ? since(condition, current) : condition);
  }

  /** Sets a condition whatever it was; the time of the transition stays while the status does. */
  static MapNode renewed(MapNode status, MapNode condition) {
    MapNode current = find(status, condition.text("type"));
    boolean same = current != null && current.text("status").equals(condition.text("status"));
    return replaced(status, current != null && same ? since(condition, current) : condition);
  }

  /** With the time of the transition of {@code current}, unless it has none. */
  private static MapNode since(MapNode condition, MapNode current) {
    Node time = current.get("lastTransitionTime");
    return time == null ? condition : condition.with("lastTransitionTime", time);
  }

  private static MapNode replaced(MapNode status, MapNode condition) {
    List<Node> conditions = others(status, condition.text("type"));
    conditions.add(condition);
    return status.with("conditions", new Node.Items(conditions));
  }

  static MapNode without(MapNode status, String type) {
    List<Node> left = others(status, type);
    return left.isEmpty()
        ? status.without("conditions")
        : status.with("conditions", new Node.Items(left));
  }

  private static List<Node> others(MapNode status, String type) {
    List<Node> others = new ArrayList<>();
    for (MapNode condition : status.maps("conditions")) {
      if (!condition.text("type").equals(type)) {
        others.add(condition);
      }
    }
    return others;
  }
}
