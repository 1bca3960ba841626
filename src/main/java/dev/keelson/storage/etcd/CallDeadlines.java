package dev.keelson.storage.etcd;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ends calls that take longer than their deadline. Safe for use by several threads.
 *
 * <p>gRPC's own deadline is a timer of the event loop for each call, which wakes its thread once
 * more, and a wait with a time limit wakes another: together as much as the rest of a call of few
 * bytes. Here one thread looks at the calls in flight from time to time, and ends when there have
 * been none for a while.
 */
final class CallDeadlines {

  /** A call in flight. */
  @FunctionalInterface
  interface Limited {

    /**
     * Cancels the call if it began before a time, and ends it if it was cancelled {@link #GRACE}
     * ago and has not ended.
     *
     * @param beforeNanos a {@link System#nanoTime}
     */
    void expire(long beforeNanos);
  }

  /** How much longer than the deadline a call that was cancelled may take to end. */
  static final Duration GRACE = Duration.ofMillis(500);

  /** Said of a call that ended by its deadline. */
  static final String LATE = "no answer in time";

  /** Looks within a deadline: a call ends late by a twentieth of its deadline at most. */
  private static final int LOOKS = 20;

  private static final Duration MOST_BETWEEN_LOOKS = Duration.ofMillis(250);

  /** So many looks in a row that find no call end the thread. */
  private static final int IDLE_LOOKS = 40;

  private final Set<Limited> calls = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean looking = new AtomicBoolean();
  private final Duration deadline;
  private final Duration interval;

  CallDeadlines(Duration deadline) {
    this.deadline = deadline;
    Duration part = deadline.dividedBy(LOOKS);
    interval = part.compareTo(MOST_BETWEEN_LOOKS) < 0 ? part : MOST_BETWEEN_LOOKS;
  }

  /** The time that a call may take. */
  Duration deadline() {
    return deadline;
  }

  /** Watches over a call from now until it {@link #ended}. */
  void begun(Limited call) {
    calls.add(call);
    if (!looking.get() && looking.compareAndSet(false, true)) {
      Thread unused = Thread.ofVirtual().name("etcd-deadlines").start(this::look);
    }
  }

  void ended(Limited call) {
    calls.remove(call);
  }

  /** Whether its thread runs. */
  boolean looking() {
    return looking.get();
  }

  private void look() {
    int idle = 0;
    while (idle < IDLE_LOOKS) {
      try {
        Thread.sleep(interval);
      } catch (InterruptedException e) {
        // nobody has this thread to interrupt it
        throw new IllegalStateException(e);
      }
      idle = calls.isEmpty() ? idle + 1 : 0;
      long now = System.nanoTime();
      for (Limited call : calls) {
        call.expire(now - deadline.toNanos());
      }
      if (idle == IDLE_LOOKS) {
        looking.set(false);
        if (!calls.isEmpty() && looking.compareAndSet(false, true)) {
          // a call that began just now found this thread still looking
          idle = 0;
        }
      }
    }
  }
}
