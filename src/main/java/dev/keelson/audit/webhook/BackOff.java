package dev.keelson.audit.webhook;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * The pauses between attempts: each half as long again as the one before, with up to a fifth more
 * at random, so that servers do not all come back at once (source: apiserver, util/webhook).
 *
 * @param initial the first pause
 * @param random from 0 to 1
 */
public record BackOff(Duration initial, DoubleSupplier random) {

  /** How often a batch is sent at most. */
  public static final int ATTEMPTS = 5;

  private static final double FACTOR = 1.5;
  private static final double JITTER = 0.2;

  /** The pause after attempt {@code attempt}, which counts from 1. */
  Duration after(int attempt) {
    double nanos = initial.toNanos() * Math.pow(FACTOR, attempt - 1);
    return Duration.ofNanos((long) (nanos * (1 + JITTER * random.getAsDouble())));
  }
}
