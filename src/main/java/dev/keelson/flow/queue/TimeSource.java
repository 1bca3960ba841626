package dev.keelson.flow.queue;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Time and timers.
 *
 * @param nanos the time of {@link System#nanoTime}
 * @param millis the time since 1970
 * @param timer runs an action after a delay
 */
public record TimeSource(LongSupplier nanos, LongSupplier millis, Timer timer) {

  /** Runs actions later. */
  @FunctionalInterface
  public interface Timer {

    /** Runs {@code action} on any thread after {@code delay}; does not block. */
    void after(Duration delay, Runnable action);
  }
}
