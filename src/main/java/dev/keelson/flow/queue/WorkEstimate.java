package dev.keelson.flow.queue;

import java.time.Duration;

/**
 * The estimated work of a request (source: apiserver, util/flowcontrol/request, width.go).
 *
 * @param initialSeats the seats that it takes while it is executed, at least 1
 * @param finalSeats the seats that it takes afterwards, for {@code additional}; 0 without
 * @param additional how long it keeps seats after it was answered
 */
public record WorkEstimate(int initialSeats, int finalSeats, Duration additional) {

  /** How long an execution is taken to last until it has ended. */
  static final Duration EXECUTION = Duration.ofMillis(3);

  /** One seat while it is executed. */
  public static final WorkEstimate ONE = new WorkEstimate(1);

  /** Seats while it is executed. */
  public WorkEstimate(int initialSeats) {
    this(initialSeats, 0, Duration.ZERO);
  }

  /** The seats that it takes at most; that many are taken from begin to end. */
  public int maxSeats() {
    return Math.max(initialSeats, finalSeats);
  }

  /** The work after the answer, in seat-seconds. */
  double finalWork() {
    return finalSeats * seconds(additional);
  }

  /** All work, in seat-seconds, if the execution takes {@link #EXECUTION}. */
  double totalWork() {
    return initialSeats * seconds(EXECUTION) + finalWork();
  }

  /**
   * The same work with at most {@code limit} seats after the answer, for a longer time.
   *
   * @param limit at least 1
   */
  WorkEstimate within(int limit) {
    if (finalSeats <= limit) {
      return this;
    }
    return new WorkEstimate(
        initialSeats, limit, Duration.ofNanos(Math.round(finalWork() / limit * 1e9)));
  }

  private static double seconds(Duration time) {
    return time.toNanos() / 1e9;
  }
}
