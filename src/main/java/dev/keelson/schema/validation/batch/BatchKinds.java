package dev.keelson.schema.validation.batch;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of batch. */
public final class BatchKinds {
  private BatchKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("batch", "Job"), new JobRules()),
        Map.entry(new GroupKind("batch", "CronJob"), new CronJobRules()));
  }
}
