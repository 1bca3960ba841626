package dev.keelson.controller.deployment;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Judges the progress of a rollout (contract, "States"; source: {@code progress.go}). */
final class Progress {

  private Progress() {}

  /**
   * Adds the conditions about the progress to the status after a step.
   *
   * @param before the Deployment as it is stored
   * @param failure the failure of a ReplicaSet to create or delete pods; null if none has one
   * @param subject the begin of messages
   */
  static MapNode of(
      Deployment before, MapNode status, @Nullable MapNode failure, String subject, Instant now) {
    MapNode next = status;
    if (!before.hasProgressDeadline()) {
      next = Conditions.without(next, Conditions.PROGRESSING);
    } else if (!wasComplete(before, next)) {
      next = judged(before, next, subject, now);
    }
    if (failure != null) {
      return Conditions.set(next, failure);
    }
    return Conditions.find(next, Conditions.REPLICA_FAILURE) == null
        ? next
        : Conditions.without(next, Conditions.REPLICA_FAILURE);
  }

  private static boolean wasComplete(Deployment before, MapNode status) {
    Deployment told = before.withStatus(status);
    return told.told("replicas") == told.told("updatedReplicas")
        && Conditions.hasReason(before.status(), Conditions.PROGRESSING, Conditions.SET_AVAILABLE);
  }

  private static MapNode judged(Deployment before, MapNode status, String subject, Instant now) {
    if (before.isComplete(status)) {
      return Conditions.set(
          status,
          Conditions.of(
              Conditions.PROGRESSING,
              "True",
              now,
              Conditions.SET_AVAILABLE,
              subject + " has successfully progressed."));
    }
    if (hasProgressed(before, before.withStatus(status))) {
      return Conditions.renewed(
          status,
          Conditions.of(
              Conditions.PROGRESSING,
              "True",
              now,
              Conditions.SET_UPDATED,
              subject + " is progressing."));
    }
    if (isTimedOut(before, status, now)) {
      return Conditions.set(
          status,
          Conditions.of(
              Conditions.PROGRESSING,
              "False",
              now,
              Conditions.TIMED_OUT,
              subject + " has timed out progressing."));
    }
    return status;
  }

  private static boolean hasProgressed(Deployment before, Deployment after) {
    return after.told("updatedReplicas") > before.told("updatedReplicas")
        || oldReplicas(after) < oldReplicas(before)
        || after.told("readyReplicas") > before.told("readyReplicas")
        || after.told("availableReplicas") > before.told("availableReplicas");
  }

  private static int oldReplicas(Deployment deployment) {
    return deployment.told("replicas") - deployment.told("updatedReplicas");
  }

  private static boolean isTimedOut(Deployment deployment, MapNode status, Instant now) {
    MapNode condition = Conditions.find(status, Conditions.PROGRESSING);
    if (condition == null) {
      return false;
    }
    return switch (condition.text("reason")) {
      case Conditions.SET_AVAILABLE -> false;
      case Conditions.TIMED_OUT -> true;
      default -> deadline(deployment, condition).isBefore(now);
    };
  }

  private static Instant deadline(Deployment deployment, MapNode condition) {
    return Times.instant(condition.text("lastUpdateTime")).plus(deployment.progressDeadline());
  }

  /** How long until a Deployment without further progress is timed out; empty if it will not be. */
  static Optional<Duration> untilTimedOut(Deployment deployment, Instant now) {
    MapNode condition = Conditions.find(deployment.status(), Conditions.PROGRESSING);
    if (condition == null
        || !deployment.hasProgressDeadline()
        || deployment.paused()
        || deployment.isComplete(deployment.status())
        || condition.text("reason").equals(Conditions.SET_AVAILABLE)
        || condition.text("reason").equals(Conditions.TIMED_OUT)) {
      return Optional.empty();
    }
    Duration left = Duration.between(now, deadline(deployment, condition));
    // times in the status have seconds
    return Optional.of((left.isNegative() ? Duration.ZERO : left).plusSeconds(1));
  }
}
