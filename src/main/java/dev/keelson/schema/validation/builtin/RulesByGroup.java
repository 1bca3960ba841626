package dev.keelson.schema.validation.builtin;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of kinds, made a group at a time when the first object of the group is validated: a
 * server that starts writes objects of few groups. Safe for use by several threads.
 */
final class RulesByGroup {

  private final Map<String, Supplier<Map<GroupKind, KindRules>>> groups;
  private final Map<String, Map<GroupKind, KindRules>> made = new ConcurrentHashMap<>();

  /**
   * @param groups makes the rules of all kinds of a group, by its name
   */
  RulesByGroup(Map<String, Supplier<Map<GroupKind, KindRules>>> groups) {
    this.groups = Map.copyOf(groups);
  }

  /** The rules of a kind; null if it has none. */
  @Nullable KindRules of(GroupKind kind) {
    Map<GroupKind, KindRules> rules = made.get(kind.group());
    if (rules == null) {
      Supplier<Map<GroupKind, KindRules>> group = groups.get(kind.group());
      if (group == null) {
        return null;
      }
      rules = made.computeIfAbsent(kind.group(), name -> group.get());
    }
    return rules.get(kind);
  }
}
