package dev.keelson.schema.validation.apps;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.ReplicaRules;
import dev.keelson.schema.validation.core.pod.PodRules;
import dev.keelson.schema.validation.core.pod.WorkloadRules;

/** Replica sets. */
record ReplicaSetRules(boolean fixedSelector) implements WorkloadRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    spec.get("replicas").nonNegative();
    spec.get("minReadySeconds").nonNegative();
    if (SelectorRules.validateSelector(spec, "deployment", "invalid label selector")) {
      PodRules.validatePodTemplateSpec(spec.get("template").declared());
      ReplicaRules.validateAlwaysRestarts(spec.get("template"), "ReplicaSet");
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
    ReplicaRules.validateReplicaStatus(object.get("status"));
  }
}
