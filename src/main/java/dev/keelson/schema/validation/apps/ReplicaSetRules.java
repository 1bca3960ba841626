package dev.keelson.schema.validation.apps;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.ReplicaRules;
import dev.keelson.schema.validation.core.pod.PodRules;
import dev.keelson.schema.validation.core.pod.PodWarnings;
import java.util.function.Consumer;

/** Replica sets. */
record ReplicaSetRules(boolean fixedSelector) implements KindRules {
  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    ReplicaRules.validateReplicaCounts(spec);
    if (SelectorRules.validateSelector(spec, "deployment", "invalid label selector")) {
      PodRules.validatePodTemplateSpec(spec.get("template"));
      ReplicaRules.validateAlwaysRestarts(spec.get("template"), "ReplicaSet");
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
    ReplicaRules.validateReplicaStatus(object.get("status"));
  }

  @Override
  public void warnOnCreate(Value object, Consumer<String> warnings) {
    PodWarnings.warnAboutName(object, PodWarnings.NAMES_OF_PODS, warnings);
    warnOnUpdate(object, warnings);
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    PodWarnings.warnAboutPodSpec(object.get("spec", "template", "spec"), warnings);
  }
}
