package dev.keelson.schema.validation.autoscaling;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of autoscaling. */
public final class AutoscalingKinds {
  private AutoscalingKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(
            new GroupKind("autoscaling", "HorizontalPodAutoscaler"),
            new HorizontalPodAutoscalerRules()));
  }
}
