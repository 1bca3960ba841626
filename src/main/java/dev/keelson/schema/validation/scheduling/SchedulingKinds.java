package dev.keelson.schema.validation.scheduling;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of scheduling.k8s.io. */
public final class SchedulingKinds {
  private SchedulingKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("scheduling.k8s.io", "PriorityClass"), new PriorityClassRules()));
  }
}
