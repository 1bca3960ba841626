package dev.keelson.config.component;

import dev.keelson.api.Feature;
import dev.keelson.api.FeatureGates;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.AutoscalerOptions;
import java.time.Duration;

/** Flags of horizontal pod autoscalers, with the names and defaults of kube-controller-manager. */
final class AutoscalerFlags {

  private static final String PREFIX = "horizontal-pod-autoscaler-";
  private static final int MOST_WORKERS = 1000;

  private final Flag<Integer> workers;
  private final Flag<Duration> period;
  private final Flag<Duration> stabilization;
  private final Flag<Double> tolerance;
  private final Flag<Duration> cpuInitialization;
  private final Flag<Duration> initialReadiness;

  AutoscalerFlags(FlagGroup group) {
    workers =
        group.single(
            "concurrent-horizontal-pod-autoscaler-syncs",
            "COUNT",
            "5",
            "Number of horizontal pod autoscalers that are looked at at once.",
            Values.integer(1, MOST_WORKERS));
    period =
        group.single(
            PREFIX + "sync-period",
            "DURATION",
            "15s",
            "Time between two looks at a horizontal pod autoscaler.",
            Values::duration);
    stabilization =
        group.single(
            PREFIX + "downscale-stabilization",
            "DURATION",
            "5m0s",
            "How far back the recommendations go of which the highest counts before pods are"
                + " removed, unless the behavior of an autoscaler says it.",
            Values::duration);
    tolerance =
        group.single(
            PREFIX + "tolerance",
            "RATIO",
            "0.1",
            "How far the ratio of a metric to its target may be from 1 without an effect, unless"
                + " the behavior of an autoscaler says it.",
            Values::decimal);
    cpuInitialization =
        group.single(
            PREFIX + "cpu-initialization-period",
            "DURATION",
            "5m0s",
            "Time after its start in which CPU samples of a pod may be left out.",
            Values::duration);
    initialReadiness =
        group.single(
            PREFIX + "initial-readiness-delay",
            "DURATION",
            "30s",
            "Time after the start of a pod in which a change of its readiness counts as the first"
                + " one.",
            Values::duration);
  }

  AutoscalerOptions options(Settings settings, FeatureGates gates) {
    Duration looks = settings.value(period);
    if (!looks.isPositive()) {
      throw new FlagException(period.dashed() + " must be greater than 0");
    }
    return new AutoscalerOptions(
        settings.value(workers),
        looks,
        settings.value(stabilization),
        settings.value(tolerance),
        settings.value(cpuInitialization),
        settings.value(initialReadiness),
        gates.on(Feature.HPA_SCALE_TO_ZERO));
  }
}
