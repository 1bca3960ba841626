package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.PodRules;
import dev.keelson.schema.validation.core.pod.WorkloadRules;

/** Replication controllers. */
final class ReplicationControllerRules implements WorkloadRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    spec.get("minReadySeconds").nonNegative();
    Value selector = spec.get("selector");
    Value template = spec.get("template");
    selector.needed();
    spec.get("replicas").nonNegative();
    if (template.absent()) {
      template.required();
      return;
    }
    Value labels = template.get("metadata", "labels");
    if (selector.filled() && !Labels.contains(labels.map(), selector.map())) {
      labels.invalid(ReplicaRules.NO_MATCH);
    }
    PodRules.validatePodTemplateSpec(template.declared());
    ReplicaRules.validateAlwaysRestarts(template, "ReplicationController");
  }

  @Override
  public boolean validatesUpdateTwice() {
    return true;
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    ReplicaRules.validateReplicaStatus(object.get("status"));
  }
}
