package dev.keelson.admission.eventlimit;

import java.util.function.LongSupplier;

/**
 * A token bucket: holds at most {@code burst} tokens, is full at first, and gets {@code rate}
 * tokens a second. Safe for use by several threads.
 */
final class TokenBucket {

  private static final double NANOS = 1e9;

  private final int rate;
  private final int burst;
  private final LongSupplier nanoTime;

  /** Guarded by this, as is the time at which it was right. */
  private double tokens;

  private long at;

  TokenBucket(int rate, int burst, LongSupplier nanoTime) {
    this.rate = rate;
    this.burst = burst;
    this.nanoTime = nanoTime;
    this.tokens = burst;
    this.at = nanoTime.getAsLong();
  }

  /** Takes a token; false if there is none. */
  synchronized boolean take() {
    long now = nanoTime.getAsLong();
    tokens = Math.min(burst, tokens + (now - at) / NANOS * rate);
    at = now;
    if (tokens < 1) {
      return false;
    }
    tokens -= 1;
    return true;
  }
}
