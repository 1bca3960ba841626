package dev.keelson.flow;

import java.util.concurrent.Semaphore;

/**
 * Bounds the requests that are under way, reading and changing ones apart (contract, "Limits":
 * {@code --max-requests-inflight}, {@code --max-mutating-requests-inflight}). Safe for use by
 * several threads.
 */
public final class InFlightLimiter {

  /** The two sorts of requests. */
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
   * Limits.
   *
   * @param readOnly how many reading requests may be under way; 0 means any number
   * @param mutating how many changing requests may be under way; 0 means any number
   */
  public InFlightLimiter(int readOnly, int mutating) {
    this.readOnly = new Limit(readOnly);
    this.mutating = new Limit(mutating);
  }

  /** Takes a place, to be given back by {@link #leave}; false if there is none. Never waits. */
  public boolean enter(Sort sort) {
    Limit limit = limit(sort);
    return limit.most == 0 || limit.free.tryAcquire();
  }

  /** Gives a place back. */
  public void leave(Sort sort) {
    Limit limit = limit(sort);
    if (limit.most != 0) {
      limit.free.release();
    }
  }

  /** How many places of that sort are taken; 0 where there is no limit. */
  public int taken(Sort sort) {
    Limit limit = limit(sort);
    return limit.most == 0 ? 0 : limit.most - limit.free.availablePermits();
  }

  private Limit limit(Sort sort) {
    return sort == Sort.READ_ONLY ? readOnly : mutating;
  }
}
