package dev.keelson.schema.validation.node;

import dev.keelson.api.Names;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.pod.SchedulingRules;

/** Runtime classes. */
final class RuntimeClassRules implements KindRules {
  @Override
  public void validate(Value object) {
    Value handler = object.get("handler").orEmpty();
    String problem = Names.dnsLabel(handler.text());
    if (!problem.isEmpty()) {
      handler.invalid(problem);
    }
    for (Value amount : object.get("overhead", "podFixed")) {
      QuantityRules.nonNegative(amount);
    }
    Labels.validateLabels(object.get("scheduling", "nodeSelector"));
    for (Value toleration : object.get("scheduling", "tolerations")) {
      SchedulingRules.validateToleration(toleration);
    }
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    object.get("handler").immutable(old.get("handler"));
  }
}
