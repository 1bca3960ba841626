package dev.keelson.config.option;

import java.time.Duration;

/**
 * How horizontal pod autoscalers work.
 *
 * @param workers how many are looked at at once
 * @param period the time between two looks at one
 * @param stabilization how far back the recommendations go of which the highest counts
 * @param tolerance how far the ratio of a metric to its target may be from 1 without an effect
 * @param cpuInitialization how long after its start CPU samples of a pod may be left out
 * @param initialReadiness how long after its start a change of readiness counts as the first one
 * @param scaleToZero whether the feature HPAScaleToZero is on
 */
public record AutoscalerOptions(
    int workers,
    Duration period,
    Duration stabilization,
    double tolerance,
    Duration cpuInitialization,
    Duration initialReadiness,
    boolean scaleToZero) {

  /** What holds where no flag says it. */
  public static final AutoscalerOptions DEFAULT =
      new AutoscalerOptions(
          5,
          Duration.ofSeconds(15),
          Duration.ofMinutes(5),
          0.1,
          Duration.ofMinutes(5),
          Duration.ofSeconds(30),
          /* scaleToZero= */ false);
}
