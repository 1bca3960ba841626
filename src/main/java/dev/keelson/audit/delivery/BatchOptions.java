package dev.keelson.audit.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How events are batched in mode batch.
 *
 * @param bufferSize how many events wait at most; more are dropped
 * @param maxBatchSize how many events a batch has at most
 * @param maxBatchWait how long a batch that is not full waits for more; zero does not wait
 * @param throttle how often batches are sent, or null for no limit
 */
public record BatchOptions(
    int bufferSize, int maxBatchSize, Duration maxBatchWait, @Nullable Throttle throttle) {

  /**
   * A limit on the rate of batches.
   *
   * @param perSecond the average
   * @param burst how many may follow each other at once after a pause
   */
  public record Throttle(double perSecond, int burst) {}
}
