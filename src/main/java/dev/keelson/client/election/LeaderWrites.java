package dev.keelson.client.election;

import dev.keelson.client.rest.ApiTransport.TimeLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The writes of one term of a leader: none begins after the term, each must be over before another
 * candidate may lead, and the Lease is given back only when the end of all of them is known. Safe
 * for use by several threads.
 */
public final class LeaderWrites {

  /** Longer than any process lives. */
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private final Supplier<Duration> time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  /** Guarded by the lock, as are the fields below. */
  private int underWay;

  private boolean over;

  /** Whether a write had no answer, so that it may be done later. */
  private boolean unknown;

  /**
   * The writes of a term that begins.
   *
   * @param time how long a write that begins now may take; not positive if none may begin
   */
  public LeaderWrites(Supplier<Duration> time) {
    this.time = time;
  }

  /** The writes of a process that acts without an election. */
  public static LeaderWrites withoutElection() {
    return new LeaderWrites(() -> LONGEST);
  }

  /**
   * Counts a write, which {@link #finished} must follow.
   *
   * @return how long it may take
   * @throws IOException if the term is over
   */
  TimeLimit begin() throws IOException {
    lock.lock();
    try {
      requireTerm();
      underWay++;
      return this::left;
    } finally {
      lock.unlock();
    }
  }

  private Duration left() throws IOException {
    lock.lock();
    try {
      return requireTerm();
    } finally {
      lock.unlock();
    }
  }

  private Duration requireTerm() throws IOException {
    Duration left = time.get();
    if (over || !left.isPositive()) {
      throw new IOException("this process is not the leader any more");
    }
    return left;
  }

  /**
   * A write is over.
   *
   * @param answered whether there was an answer; without one it may still be done
   */
  void finished(boolean answered) {
    lock.lock();
    try {
      underWay--;
      unknown |= !answered;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends the term: no write begins any more. May be called again. */
  public void end() {
    lock.lock();
    try {
      over = true;
    } finally {
      lock.unlock();
    }
  }

  /** Waits at most this long until no write is under way. */
  public void awaitNone(Duration longest) throws InterruptedException {
    lock.lock();
    try {
      long left = longest.toNanos();
      while (underWay > 0 && left > 0) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether every write of the term has been answered, so that none can be done any more. */
  public boolean settled() {
    lock.lock();
    try {
      return underWay == 0 && !unknown;
    } finally {
      lock.unlock();
    }
  }
}
