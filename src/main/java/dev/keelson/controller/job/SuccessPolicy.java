package dev.keelson.controller.job;

import dev.keelson.controller.workload.Numbers;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Optional;

/** The successPolicy of a Job (source: {@code success_policy.go}). */
final class SuccessPolicy {

  private SuccessPolicy() {}

  /** Says which rule the indexes that succeeded fulfil; empty if none. */
  static Optional<String> match(Job job, Indexes succeeded) {
    List<MapNode> rules = job.spec().map("successPolicy").maps("rules");
    for (int i = 0; i < rules.size() && !succeeded.isEmpty(); i++) {
      if (matches(rules.get(i), succeeded, job.indexes())) {
        return Optional.of("Matched rules at index " + i);
      }
    }
    return Optional.empty();
  }

  private static boolean matches(MapNode rule, Indexes succeeded, int completions) {
    Integer count = Numbers.orNull(rule, "succeededCount");
    if (!(rule.get("succeededIndexes") instanceof Node.Text text)) {
      return count != null && succeeded.count() >= count;
    }
    Indexes required = Indexes.parse(text.value(), completions);
    if (required.isEmpty()) {
      return false;
    }
    int common = required.common(succeeded);
    return common == required.count() || (count != null && common >= count);
  }
}
