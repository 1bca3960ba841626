package dev.keelson.schema.validation.apps;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.IntOrStrings;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.ReplicaRules;
import dev.keelson.schema.validation.core.pod.PodRules;
import dev.keelson.schema.validation.core.pod.WorkloadRules;

/** Deployments. */
record DeploymentRules(boolean fixedSelector) implements WorkloadRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    spec.get("replicas").nonNegative();
    if (SelectorRules.validateSelector(spec, "deployment", "invalid label selector")) {
      PodRules.validatePodTemplateSpec(spec.get("template").declared());
      ReplicaRules.validateAlwaysRestarts(spec.get("template"), "ReplicaSet");
    }
    strategy(spec.get("strategy"));
    spec.get("minReadySeconds").nonNegative();
    spec.get("revisionHistoryLimit").nonNegative();
    Value deadline = spec.get("progressDeadlineSeconds");
    if (deadline.present()) {
      deadline.nonNegative();
      if (deadline.number() <= spec.get("minReadySeconds").number()) {
        deadline.invalid("must be greater than minReadySeconds");
      }
    }
  }

  private static void strategy(Value strategy) {
    Value rolling = strategy.get("rollingUpdate");
    switch (strategy.get("type").text()) {
      case "Recreate" -> {
        if (rolling.present()) {
          rolling.forbidden("may not be specified when strategy `type` is 'Recreate'");
        }
      }
      case "", "RollingUpdate" -> {
        Value unavailable = rolling.get("maxUnavailable");
        Value surge = rolling.get("maxSurge");
        IntOrStrings.validateNonNegativeIntOrPercent(unavailable);
        IntOrStrings.validateNonNegativeIntOrPercent(surge);
        if (IntOrStrings.isZero(unavailable) && IntOrStrings.isZero(surge)) {
          unavailable.invalid("may not be 0 when `maxSurge` is 0");
        }
        IntOrStrings.validateNotMoreThan100Percent(unavailable);
      }
      default -> strategy.unsupported("Recreate", "RollingUpdate");
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    if (fixedSelector) {
      object.get("spec", "selector").immutable(old.get("spec", "selector"));
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    Value status = object.get("status");
    ReplicaRules.validateNonNegative(
        status,
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount");
    ReplicaRules.validateAtMost(
        status, "replicas", "updatedReplicas", "readyReplicas", "availableReplicas");
    ReplicaRules.validateAvailable(status, "readyReplicas");
    ReplicaRules.validateNotDecremented(
        status.get("collisionCount"), old.get("status", "collisionCount"));
  }

  /** The controller copies annotations to ReplicaSets, so that they raise the generation too. */
  @Override
  public boolean raisesGeneration(Value object, Value old) {
    return WorkloadRules.super.raisesGeneration(object, old)
        || !object.get("metadata", "annotations").sameAs(old.get("metadata", "annotations"));
  }
}
