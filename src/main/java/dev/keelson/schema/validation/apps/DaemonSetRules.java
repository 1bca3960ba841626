package dev.keelson.schema.validation.apps;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.IntOrStrings;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.ReplicaRules;
import dev.keelson.schema.validation.core.pod.PodRules;
import dev.keelson.schema.validation.core.pod.WorkloadRules;
import java.util.function.Consumer;

/** Daemon sets. */
record DaemonSetRules(boolean fixedSelector) implements WorkloadRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    Value selector = spec.declared("selector").get("selector");
    int before = selector.causeCount();
    Labels.validateLabelSelector(selector);
    if (selector.causeCount() == before) {
      SelectorRules.validateSelectorMatchesTemplate(selector, spec.get("template"));
    }
    if (selector.present() && Labels.isEmpty(selector)) {
      selector.invalid("empty selector is invalid for daemonset");
    }
    PodRules.validatePodTemplateSpec(spec.get("template").declared());
    ReplicaRules.validateAlwaysRestarts(spec.get("template"), "DaemonSet");
    spec.get("minReadySeconds").nonNegative();
    Value strategy = spec.get("updateStrategy");
    switch (strategy.get("type").text()) {
      case "", "OnDelete" -> {}
      case "RollingUpdate" -> rolling(strategy.get("rollingUpdate"));
      default -> strategy.unsupportedInOrder("RollingUpdate", "OnDelete");
    }
    spec.get("revisionHistoryLimit").nonNegative();
  }

  private static void rolling(Value rolling) {
    Value unavailable = rolling.get("maxUnavailable");
    Value surge = rolling.get("maxSurge");
    IntOrStrings.validateNonNegativeIntOrPercent(unavailable);
    IntOrStrings.validateNonNegativeIntOrPercent(surge);
    IntOrStrings.validateNotMoreThan100Percent(unavailable);
    IntOrStrings.validateNotMoreThan100Percent(surge);
    if (unavailable.present() && surge.present()) {
      if (!IntOrStrings.isZero(unavailable) && !IntOrStrings.isZero(surge)) {
        surge.invalid("may not be set when maxUnavailable is non-zero");
      } else if (IntOrStrings.isZero(unavailable) && IntOrStrings.isZero(surge)) {
        unavailable.required("cannot be 0 when maxSurge is 0");
      }
    }
  }

  @Override
  public boolean validatesUpdateTwice() {
    return true;
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    if (fixedSelector) {
      object.get("spec", "selector").immutable(old.get("spec", "selector"));
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    ReplicaRules.validateNonNegative(
        object.get("status"),
        "currentNumberScheduled",
        "numberMisscheduled",
        "desiredNumberScheduled",
        "numberReady",
        "observedGeneration",
        "updatedNumberScheduled",
        "numberAvailable",
        "numberUnavailable",
        "collisionCount");
    ReplicaRules.validateNotDecremented(
        object.get("status", "collisionCount"), old.get("status", "collisionCount"));
  }

  @Override
  public void warnOnCreate(Value object, Consumer<String> warnings) {
    warnAboutPods(object, warnings);
  }
}
