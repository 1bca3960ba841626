package dev.keelson.schema.validation.flowcontrol;

import dev.keelson.schema.validation.Value;
import java.util.HashSet;
import java.util.Set;

/** The conditions in the statuses of flow control. */
final class FlowControlConditions {
  private FlowControlConditions() {}

  static void validateConditions(Value status) {
    Set<String> seen = new HashSet<>();
    for (Value condition : status.get("conditions")) {
      Value type = condition.get("type");
      if (!seen.add(type.text())) {
        type.duplicate();
      }
      type.needed("must not be empty");
    }
  }
}
