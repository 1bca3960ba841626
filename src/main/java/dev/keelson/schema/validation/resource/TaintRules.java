package dev.keelson.schema.validation.resource;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;

/** Taints of devices, and the tolerations of requests. */
final class TaintRules {

  private static final int MOST_TAINTS = 16;
  private static final String[] EFFECTS = {"NoExecute", "NoSchedule", "None"};

  private TaintRules() {}

  static void taints(Value taints) {
    if (taints.size() > MOST_TAINTS) {
      taints.tooMany(MOST_TAINTS);
      return;
    }
    for (Value taint : taints) {
      Labels.validateLabelName(taint.get("key"));
      taint.get("value").as(Formats.LABEL_VALUE);
      taint.get("effect").needed().oneOf(EFFECTS);
    }
  }

  /** However many there are: Kubernetes documents a limit, and does not apply it. */
  static void tolerations(Value tolerations) {
    for (Value toleration : tolerations) {
      toleration(toleration);
    }
  }

  private static void toleration(Value toleration) {
    if (toleration.get("key").filled()) {
      Labels.validateLabelName(toleration.get("key"));
    }
    Value value = toleration.get("value");
    Value operator = toleration.get("operator");
    switch (operator.text()) {
      case "Exists" -> {
        if (value.filled()) {
          value.invalid("must be empty for operator `Exists`");
        }
      }
      case "Equal" -> value.as(Formats.LABEL_VALUE);
      case "" -> operator.required();
      default -> operator.unsupported("Equal", "Exists");
    }
    toleration.get("effect").oneOf(EFFECTS);
  }
}
