package dev.keelson.schema.validation.autoscaling;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of autoscaling. */
public final class AutoscalingKinds {
  private AutoscalingKinds() {}

  /**
   * The rules by stored kind; immutable.
   *
   * @param gates must have HPAScaleToZero for autoscalers to no pods
   */
  public static Map<GroupKind, KindRules> rules(FeatureGates gates) {
    return Map.ofEntries(
        Map.entry(
            new GroupKind("autoscaling", "HorizontalPodAutoscaler"),
            new HorizontalPodAutoscalerRules(gates.on(Feature.HPA_SCALE_TO_ZERO))));
  }
}
