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
    ReplicaRules.counts(spec);
    if (SelectorRules.selectorAndTemplate(spec, "deployment", "invalid label selector")) {
      PodRules.template(spec.get("template"));
      ReplicaRules.alwaysRestarts(spec.get("template"), "ReplicaSet");
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
    ReplicaRules.replicaStatus(object.get("status"));
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
