package dev.keelson.simulation;

import dev.keelson.api.LabelSelector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How the containers of some pods behave.
 *
 * @param selector the labels of the pods
 * @param start how long a pod is Pending on its node
 * @param ready how long a container runs before it is ready, in addition to the initial delays of
 *     its probes
 * @param end how containers end; null if they run until the pod is deleted
 * @param printed what they print
 */
record Behavior(
    LabelSelector selector, Delay start, Delay ready, @Nullable End end, Printed printed) {

  /**
   * A time with a random part.
   *
   * @param jitter at most this is added, evenly distributed
   */
  record Delay(Duration least, Duration jitter) {

    static final Delay NONE = new Delay(Duration.ZERO, Duration.ZERO);

    /**
     * The time of one container.
     *
     * @param random between 0 and 1
     */
    Duration of(double random) {
      return jitter.isZero() ? least : least.plusNanos((long) (jitter.toNanos() * random));
    }

    boolean isZero() {
      return least.isZero() && jitter.isZero();
    }
  }

  /**
   * How a container ends.
   *
   * @param after since it has started
   * @param probability of a failure, from 0 to 1; otherwise the exit code is 0
   * @param exitCode of a failure, from 1 to 255
   * @param message the termination message of a failure
   * @param onlyFailures whether containers that do not fail run on
   */
  record End(Delay after, double probability, int exitCode, String message, boolean onlyFailures) {}
}
