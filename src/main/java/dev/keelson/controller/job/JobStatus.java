package dev.keelson.controller.job;

import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The status of a Job while it is worked on. Confined to one thread. */
final class JobStatus {

  static final String COMPLETE = "Complete";
  static final String FAILED = "Failed";
  static final String SUSPENDED = "Suspended";
  static final String FAILURE_TARGET = "FailureTarget";
  static final String SUCCESS_CRITERIA_MET = "SuccessCriteriaMet";

  int active;
  @Nullable Integer ready;
  @Nullable Integer terminating;
  int succeeded;
  int failed;

  /** Empty if there is none. */
  String startTime;

  /** Empty if there is none. */
  String completionTime;

  String completedIndexes;

  /** Null if the Job does not limit the failures of each index. */
  @Nullable String failedIndexes;

  List<String> uncountedSucceeded;
  List<String> uncountedFailed;
  final List<MapNode> conditions;

  JobStatus(MapNode status) {
    active = Numbers.of(status, "active", 0);
    ready = Numbers.orNull(status, "ready");
    terminating = Numbers.orNull(status, "terminating");
    succeeded = Numbers.of(status, "succeeded", 0);
    failed = Numbers.of(status, "failed", 0);
    startTime = status.text("startTime");
    completionTime = status.text("completionTime");
    completedIndexes = status.text("completedIndexes");
    failedIndexes = status.get("failedIndexes") instanceof Node.Text text ? text.value() : null;
    uncountedSucceeded = uids(status, "succeeded");
    uncountedFailed = uids(status, "failed");
    conditions = new ArrayList<>(status.maps("conditions"));
  }

  private static List<String> uids(MapNode status, String key) {
    List<String> uids = new ArrayList<>();
    for (Node uid : status.map("uncountedTerminatedPods").items(key)) {
      if (uid instanceof Node.Text text) {
        uids.add(text.value());
      }
    }
    return uids;
  }

  MapNode node() {
    MapNode.Builder status = MapNode.builder(12);
    if (!conditions.isEmpty()) {
      status.put("conditions", new Node.Items(List.copyOf(conditions)));
    }
    put(status, "startTime", startTime);
    put(status, "completionTime", completionTime);
    put(status, "active", active == 0 ? null : active);
    put(status, "succeeded", succeeded == 0 ? null : succeeded);
    put(status, "failed", failed == 0 ? null : failed);
    put(status, "terminating", terminating);
    put(status, "completedIndexes", completedIndexes);
    if (failedIndexes != null) {
      status.put("failedIndexes", Node.text(failedIndexes));
    }
    MapNode uncounted = with(MapNode.EMPTY, "succeeded", uncountedSucceeded);
    status.put("uncountedTerminatedPods", with(uncounted, "failed", uncountedFailed));
    put(status, "ready", ready);
    return status.build();
  }

  private static void put(MapNode.Builder status, String key, String text) {
    if (!text.isEmpty()) {
      status.put(key, Node.text(text));
    }
  }

  private static void put(MapNode.Builder status, String key, @Nullable Integer number) {
    if (number != null) {
      status.put(key, new Node.Int(number));
    }
  }

  private static MapNode with(MapNode node, String key, List<String> uids) {
    return uids.isEmpty()
        ? node
        : node.with(key, new Node.Items(uids.stream().<Node>map(Node::text).toList()));
  }

  /**
   * Counts the pods that are no longer in the set of those with a finalizer.
   *
   * @return whether there were such
   */
  boolean countWithoutFinalizer(Set<String> uidsWithFinalizer) {
    int before = uncountedSucceeded.size() + uncountedFailed.size();
    List<String> left = retained(uncountedSucceeded, uidsWithFinalizer);
    succeeded += uncountedSucceeded.size() - left.size();
    uncountedSucceeded = left;
    left = retained(uncountedFailed, uidsWithFinalizer);
    failed += uncountedFailed.size() - left.size();
    uncountedFailed = left;
    return uncountedSucceeded.size() + uncountedFailed.size() != before;
  }

  private static List<String> retained(List<String> uids, Set<String> kept) {
    return new ArrayList<>(uids.stream().filter(kept::contains).toList());
  }

  /** The condition of a type with status True; null if there is none. */
  @Nullable MapNode fulfilled(String type) {
    for (MapNode condition : conditions) {
      if (condition.text("type").equals(type) && condition.text("status").equals("True")) {
        return condition;
      }
    }
    return null;
  }

  boolean isFinished() {
    return fulfilled(COMPLETE) != null || fulfilled(FAILED) != null;
  }

  /**
   * Sets a condition; one that does not exist is not added with status False.
   *
   * @return whether it changed
   */
  boolean set(MapNode condition) {
    for (int i = 0; i < conditions.size(); i++) {
      MapNode old = conditions.get(i);
      if (old.text("type").equals(condition.text("type"))) {
        boolean same =
            old.text("status").equals(condition.text("status"))
                && old.text("reason").equals(condition.text("reason"))
                && old.text("message").equals(condition.text("message"));
        if (!same) {
          conditions.set(i, condition);
        }
        return !same;
      }
    }
    return condition.text("status").equals("True") && conditions.add(condition);
  }

  static MapNode condition(
      String type, boolean status, String reason, String message, Instant now) {
    Node time = Node.text(Times.text(now));
    MapNode.Builder condition =
        MapNode.builder(6)
            .put("type", Node.text(type))
            .put("status", Node.text(status ? "True" : "False"))
            .put("lastProbeTime", time)
            .put("lastTransitionTime", time);
    put(condition, "reason", reason);
    put(condition, "message", message);
    return condition.build();
  }
}
