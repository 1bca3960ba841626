package dev.keelson.schema.validation.policy;

import dev.keelson.schema.validation.Conditions;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.IntOrStrings;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;

/** Pod disruption budgets. */
final class PodDisruptionBudgetRules implements KindRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    Value min = spec.get("minAvailable");
    Value max = spec.get("maxUnavailable");
    if (min.present() && max.present()) {
      spec.invalid("minAvailable and maxUnavailable cannot be both set");
    }
    IntOrStrings.validateNonNegativeIntOrPercent(min);
    IntOrStrings.validateNotMoreThan100Percent(min);
    IntOrStrings.validateNonNegativeIntOrPercent(max);
    IntOrStrings.validateNotMoreThan100Percent(max);
    Labels.validateLabelSelector(spec.get("selector"));
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    Conditions.validateConditions(object.get("status", "conditions"));
    for (String field :
        new String[] {"disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods"}) {
      object.get("status", field).nonNegative();
    }
  }
}
