package dev.keelson.flow;

import java.util.concurrent.Semaphore;

/**
 * Limits the number of mutating and non-mutating requests in flight (contract, "Limits": {@code
 * --max-requests-inflight}, {@code --max-mutating-requests-inflight}). Safe for use by several
 * threads.
 */
public final class InFlightLimiter {

  /** The kinds of requests. */
  public enum Sort {
    READ_ONLY,
    MUTATING
  }

  private final Limit readOnly;
  private final Limit mutating;

  private record Limit(int most, Semaphore free) {
    Limit(int most) {
      this(most, new Semaphore(Math.max(most, 0)));
    }
  }

  /**
   * @param readOnly the maximum number of non-mutating requests in flight; 0 disables the limit
   * @param mutating the maximum number of mutating requests in flight; 0 disables the limit
   */
  public InFlightLimiter(int readOnly, int mutating) {
    this.readOnly = new Limit(readOnly);
    this.mutating = new Limit(mutating);
  }

  /** Acquires a permit, to be released by {@link #leave}; false if there is none. Never blocks. */
  public boolean enter(Sort sort) {
    Limit limit = limit(sort);
    return limit.most == 0 || limit.free.tryAcquire();
  }

  /** Releases a permit. */
  public void leave(Sort sort) {
    Limit limit = limit(sort);
    if (limit.most != 0) {
      limit.free.release();
    }
  }

  /** The number of acquired permits; 0 without a limit. */
  public int taken(Sort sort) {
    Limit limit = limit(sort);
    return limit.most == 0 ? 0 : limit.most - limit.free.availablePermits();
  }

  private Limit limit(Sort sort) {
    return sort == Sort.READ_ONLY ? readOnly : mutating;
  }
}
