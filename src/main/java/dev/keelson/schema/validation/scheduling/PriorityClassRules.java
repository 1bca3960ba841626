package dev.keelson.schema.validation.scheduling;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import java.util.Map;

/** Priority classes. */
final class PriorityClassRules implements KindRules {
  private static final long HIGHEST = 1_000_000_000L;
  private static final Map<String, Long> SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validateCreate(Value object) {
    Value name = object.get("metadata", "name");
    Value value = object.get("value");
    if (name.text().startsWith("system-")) {
      String problem = problem(name.text(), object);
      if (!problem.isEmpty()) {
        name.forbidden(
            "priority class names with 'system-' prefix are reserved for system use only. error: "
                + problem);
      }
    } else if (value.number() > HIGHEST) {
      value.forbidden("maximum allowed value of a user defined priority is " + HIGHEST);
    }
    GivenText.validateFilled(object.get("preemptionPolicy"), "PreemptLowerPriority", "Never");
  }

  private static String problem(String name, Value object) {
    Long known = SYSTEM.get(name);
    if (known == null) {
      return name + " is not a known system priority class";
    }
    if (known != object.get("value").number()) {
      return "value of " + name + " PriorityClass must be " + known;
    }
    return object.get("globalDefault").flag()
        ? "globalDefault of " + name + " PriorityClass must be false"
        : "";
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    if (object.get("value").number() != old.get("value").number()) {
      object.get("value").forbidden("may not be changed in an update.");
    }
    Value policy = object.get("preemptionPolicy");
    if (policy.present() || old.get("preemptionPolicy").present()) {
      policy.immutable(old.get("preemptionPolicy"));
    }
  }
}
