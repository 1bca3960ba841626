package dev.keelson.audit.delivery;

import dev.keelson.audit.delivery.BatchOptions.Throttle;

/**
 * A token bucket: full at first, filled at a constant rate. Not safe for use by several threads.
 */
final class TokenBucket {

  private static final double SECOND = 1e9;

  private final Throttle throttle;
  private double tokens;
  private long filledAt;

  TokenBucket(Throttle throttle, long now) {
    this.throttle = throttle;
    this.tokens = throttle.burst();
    this.filledAt = now;
  }

  /**
   * Takes a token, of those to come if there is none.
   *
   * @param now in nanoseconds of any clock that does not go back
   * @return how long to wait before it is used; nanoseconds
   */
  long take(long now) {
    tokens = Math.min(throttle.burst(), tokens + (now - filledAt) / SECOND * throttle.perSecond());
    filledAt = now;
    tokens -= 1;
    return tokens >= 0 ? 0 : (long) (-tokens / throttle.perSecond() * SECOND);
  }
}
