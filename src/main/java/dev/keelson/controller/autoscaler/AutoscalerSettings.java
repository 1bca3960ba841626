package dev.keelson.controller.autoscaler;

import java.time.Duration;

/**
 * How autoscalers work, as kube-controller-manager's flags {@code --horizontal-pod-autoscaler-*}.
 *
 * @param workers how many autoscalers are looked at at once
 * @param period the time between two looks
 * @param stabilization how far back the recommendations go of which the highest counts before pods
 *     are removed
 * @param tolerance how far the ratio of a metric to its target may be from 1 without an effect,
 *     unless the autoscaler says it
 * @param cpuInitialization how long after its start CPU samples of a pod may be left out
 * @param initialReadiness how long after its start a change of readiness counts as the first one
 * @param scaleToZero whether the feature HPAScaleToZero is on
 */
public record AutoscalerSettings(
    int workers,
    Duration period,
    Duration stabilization,
    double tolerance,
    Duration cpuInitialization,
    Duration initialReadiness,
    boolean scaleToZero) {}
