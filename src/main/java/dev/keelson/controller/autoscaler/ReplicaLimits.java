package dev.keelson.controller.autoscaler;

import dev.keelson.object.Node.MapNode;
import java.time.Duration;

/**
 * What becomes of a recommendation: stabilization, rates, minimum and maximum (source: Kubernetes'
 * {@code podautoscaler/horizontal.go}).
 *
 * @param min the fewest replicas
 * @param max the most replicas
 */
record ReplicaLimits(int min, int max) {

  private static final double FACTOR = 2;
  private static final int LEAST = 4;

  private static final Words TOO_MANY =
      new Words(
          "TooManyReplicas", "the desired replica count is more than the maximum replica count");
  private static final Words TOO_FEW =
      new Words(
          "TooFewReplicas", "the desired replica count is less than the minimum replica count");
  private static final Words TOO_FAST =
      new Words(
          "ScaleUpLimit",
          "the desired replica count is increasing faster than the maximum scale rate");
  private static final Words TOO_FAST_DOWN =
      new Words(
          "ScaleDownLimit",
          "the desired replica count is decreasing faster than the maximum scale rate");
  private static final Words WITHIN =
      new Words("DesiredWithinRange", "the desired count is within the acceptable range");
  private static final Words READY =
      new Words("ReadyForNewScale", "recommended size matches current size");
  private static final Words STABLE_UP =
      new Words(
          "ScaleUpStabilized",
          "recent recommendations were lower than current one, applying the lowest recent"
              + " recommendation");
  private static final Words STABLE_DOWN =
      new Words(
          "ScaleDownStabilized",
          "recent recommendations were higher than current one, applying the highest recent"
              + " recommendation");

  /** Reason and message of a condition. */
  record Words(String reason, String message) {}

  /** A number of replicas, and why it is that. */
  record Limited(int replicas, Words why) {}

  /**
   * The decision.
   *
   * @param able the condition AbleToScale
   * @param limited the condition ScalingLimited
   * @param cut whether the replicas are others than the stabilized recommendation
   */
  record Decision(int replicas, Words able, Words limited, boolean cut) {}

  /** Without a behavior. */
  Decision decide(int current, int recommended, ScalingHistory history, Duration stabilization) {
    int stable = history.highest(recommended, stabilization);
    Limited limited = within(current, stable);
    return new Decision(
        limited.replicas(),
        stable == recommended ? READY : STABLE_DOWN,
        limited.why(),
        limited.replicas() != stable);
  }

  /** By a behavior. */
  Decision decide(
      int current,
      int recommended,
      ScalingHistory history,
      Duration stabilization,
      MapNode behavior) {
    ScalingRules up = ScalingRules.of(behavior.map("scaleUp"));
    ScalingRules down = ScalingRules.of(behavior.map("scaleDown"));
    Duration upWindow = up.window();
    Duration downWindow = down.window();
    int stable =
        history.between(
            current,
            recommended,
            upWindow == null ? Duration.ZERO : upWindow,
            downWindow == null ? stabilization : downWindow);
    Limited limited = within(current, stable, history, up, down);
    Words moved = recommended >= current ? STABLE_UP : STABLE_DOWN;
    return new Decision(
        limited.replicas(),
        stable == recommended ? READY : moved,
        limited.why(),
        limited.replicas() != stable);
  }

  /** At most twice as many, or four. */
  Limited within(int current, int desired) {
    int fastest = (int) Math.max(FACTOR * current, LEAST);
    if (desired < min) {
      return new Limited(min, TOO_FEW);
    }
    return desired > Math.min(max, fastest)
        ? new Limited(Math.min(max, fastest), max > fastest ? TOO_FAST : TOO_MANY)
        : new Limited(desired, WITHIN);
  }

  /** As fast as policies allow. */
  Limited within(
      int current, int desired, ScalingHistory history, ScalingRules up, ScalingRules down) {
    if (desired > current) {
      int fastest = Math.max(current, up.highest(current, history));
      if (desired > Math.min(max, fastest)) {
        return new Limited(Math.min(max, fastest), max > fastest ? TOO_FAST : TOO_MANY);
      }
    } else if (desired < current) {
      int fastest = Math.min(current, down.lowest(current, history));
      if (desired < Math.max(min, fastest)) {
        return new Limited(Math.max(min, fastest), min < fastest ? TOO_FAST_DOWN : TOO_FEW);
      }
    }
    return new Limited(desired, WITHIN);
  }
}
