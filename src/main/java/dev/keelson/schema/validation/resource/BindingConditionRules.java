package dev.keelson.schema.validation.resource;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;

/** The conditions that a device's driver must report before a pod is bound (KEP-5007). */
final class BindingConditionRules {

  private static final int MOST_CONDITIONS = 4;
  private static final String CONDITIONS = "bindingConditions";
  private static final String FAILURES = "bindingFailureConditions";

  private BindingConditionRules() {}

  /** Validates both lists of conditions of a device or of an allocation result. */
  static void validate(Value device) {
    Value conditions = listed(device.get(CONDITIONS));
    Value failures = listed(device.get(FAILURES));
    names(conditions);
    names(failures);
    conditions.unique();
    failures.unique();
    ValueSet known = new ValueSet();
    conditions.items().forEach(known::add);
    for (Value failure : failures) {
      if (known.contains(Node.text(failure.text()))) {
        failure.invalid("bindingFailureConditions must not overlap with bindingConditions");
      }
    }
    if (conditions.size() == 0 && failures.size() > 0) {
      conditions.invalid("bindingConditions are required to use bindingFailureConditions");
    }
    if (failures.size() == 0 && conditions.size() > 0) {
      failures.invalid("bindingFailureConditions are required to use bindingConditions");
    }
  }

  private static void names(Value conditions) {
    if (conditions.size() > MOST_CONDITIONS) {
      conditions.tooMany(MOST_CONDITIONS);
      return;
    }
    for (Value condition : conditions) {
      Labels.validateLabelName(condition);
    }
  }

  /** An absent list as Go shows it in an error. */
  private static Value listed(Value list) {
    return list.present() ? list : list.holding(Node.Items.EMPTY);
  }
}
