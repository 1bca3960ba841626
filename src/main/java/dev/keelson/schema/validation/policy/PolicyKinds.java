package dev.keelson.schema.validation.policy;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of policy. */
public final class PolicyKinds {
  private PolicyKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("policy", "PodDisruptionBudget"), new PodDisruptionBudgetRules()));
  }
}
