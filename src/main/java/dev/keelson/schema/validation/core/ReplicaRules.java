package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.Value;

/** What replication controllers and the workloads of apps have in common. */
public final class ReplicaRules {
  public static final String NO_MATCH = "`selector` does not match template `labels`";

  private ReplicaRules() {}

  /** Pods that are replaced always restart. */
  public static void validateAlwaysRestarts(Value template, String kind) {
    template.get("spec", "restartPolicy").oneOf("Always");
    Value deadline = template.get("spec", "activeDeadlineSeconds");
    if (deadline.present()) {
      deadline.forbidden("activeDeadlineSeconds in " + kind + " is not Supported");
    }
  }

  public static void validateNonNegative(Value status, String... fields) {
    for (String field : fields) {
      status.get(field).nonNegative();
    }
  }

  public static void validateNotDecremented(Value count, Value old) {
    if (old.present() && (count.absent() || count.number() < old.number())) {
      count.orZero().invalid("cannot be decremented");
    }
  }

  public static void validateAtMost(Value status, String total, String... fields) {
    for (String field : fields) {
      // one that is absent is zero, and more than a negative total
      Value count = status.get(field).orZero();
      if (count.number() > status.get(total).number()) {
        count.invalid("cannot be greater than status." + total);
      }
    }
  }

  /** What is available is ready. */
  public static void validateAvailable(Value status, String ready) {
    Value available = status.get("availableReplicas").orZero();
    if (available.number() > status.get("readyReplicas").number()) {
      available.invalid("cannot be greater than " + ready);
    }
  }

  public static void validateReplicaStatus(Value status) {
    validateNonNegative(
        status,
        "replicas",
        "fullyLabeledReplicas",
        "readyReplicas",
        "availableReplicas",
        "terminatingReplicas",
        "observedGeneration");
    validateAtMost(
        status, "replicas", "fullyLabeledReplicas", "readyReplicas", "availableReplicas");
    validateAvailable(status, "readyReplicas");
  }
}
