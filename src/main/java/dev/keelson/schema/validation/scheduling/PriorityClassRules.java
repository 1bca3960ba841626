package dev.keelson.schema.validation.scheduling;

import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Value;
import java.util.Map;

/** Priority classes. */
final class PriorityClassRules implements KindRules {
  private static final long HIGHEST = 1_000_000_000L;
  private static final Map<String, Long> SYSTEM =
      Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);

  @Override
  public void validate(Value object) {
    Value name = object.get("metadata", "name");
    Value value = object.get("value");
    if (name.text().startsWith("system-")) {
      Long known = SYSTEM.get(name.text());
      if (known == null || known != value.number()) {
        name.forbidden(
            "priority class names with 'system-' prefix are reserved for system use only");
      }
    } else if (value.number() > HIGHEST) {
      value.forbidden("maximum allowed value of a user defined priority is " + HIGHEST);
    }
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
