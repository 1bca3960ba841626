package dev.keelson.schema.validation.apps;

import dev.keelson.schema.validation.IntOrStrings;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.ReplicaRules;
import dev.keelson.schema.validation.core.pod.PodRules;
import dev.keelson.schema.validation.core.pod.PodWarnings;
import java.util.function.Consumer;

/** Deployments. */
record DeploymentRules(boolean fixedSelector) implements KindRules {
  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    ReplicaRules.counts(spec);
    if (SelectorRules.selectorAndTemplate(spec, "deployment", "invalid label selector")) {
      PodRules.template(spec.get("template"));
      ReplicaRules.alwaysRestarts(spec.get("template"), "ReplicaSet");
    }
    strategy(spec.get("strategy"));
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
        IntOrStrings.numberOrPercent(unavailable);
        IntOrStrings.numberOrPercent(surge);
        if (IntOrStrings.isZero(unavailable) && IntOrStrings.isZero(surge)) {
          unavailable.invalid("may not be 0 when `maxSurge` is 0");
        }
        IntOrStrings.atMostAll(unavailable);
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
    ReplicaRules.nonNegative(
        status,
        "observedGeneration",
        "replicas",
        "updatedReplicas",
        "readyReplicas",
        "availableReplicas",
        "unavailableReplicas",
        "terminatingReplicas",
        "collisionCount");
    ReplicaRules.atMost(
        status, "replicas", "updatedReplicas", "readyReplicas", "availableReplicas");
    if (status.get("availableReplicas").number() > status.get("readyReplicas").number()) {
      status.get("availableReplicas").invalid("cannot be greater than readyReplicas");
    }
    ReplicaRules.decremented(status.get("collisionCount"), old.get("status", "collisionCount"));
  }

  @Override
  public void warnOnCreate(Value object, Consumer<String> warnings) {
    PodWarnings.name(object, PodWarnings.NAMES_OF_PODS, warnings);
    warnOnUpdate(object, warnings);
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    PodWarnings.pod(object.get("spec", "template", "spec"), warnings);
  }
}
