package dev.keelson.request;

import java.time.Duration;

/**
 * When a request must be answered.
 *
 * @param nanos the time of {@link System#nanoTime}
 */
public record Deadline(long nanos) {

  /** Longer than any process lives, in nanoseconds that fit a long. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  /** A deadline that no request meets. */
  public static Deadline none() {
    return in(LONGEST);
  }

  /** The deadline of a request that may take {@code time} from now. */
  public static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos());
  }

  /** The time that is left, not negative. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanos - System.nanoTime()));
  }
}
