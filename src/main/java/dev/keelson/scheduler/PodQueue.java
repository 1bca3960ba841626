package dev.keelson.scheduler;

import dev.keelson.client.informer.ObjectName;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The pods that wait for a node: those to try now in the order of their priority and then of their
 * arrival, and those that did not fit, which are tried again after a change of the cluster, not
 * sooner than after a back-off, or after five minutes. Safe for use by several threads.
 */
final class PodQueue {

  private static final long FIRST_BACK_OFF = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_BACK_OFF = TimeUnit.SECONDS.toNanos(10);
  private static final long LONGEST_WAIT = TimeUnit.MINUTES.toNanos(5);

  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<ObjectName, Entry> entries = new HashMap<>();
  private final NavigableSet<Entry> ready =
      new TreeSet<>(
          Comparator.<Entry>comparingInt(entry -> -entry.pod.priority())
              .thenComparingLong(entry -> entry.number));

  /** Those whose back-off has not ended, in the order in which it ends. */
  private final NavigableSet<Entry> later = byDue();

  /** Those that wait for a change, in the order in which they have waited long enough. */
  private final NavigableSet<Entry> unchanged = byDue();

  private long numbers;

  /** How often something has changed. */
  private long changes;

  private static final class Entry {
    private final long number;
    private PodView pod;
    private int attempts;
    private long failedAt;
    private long due;

    /** The changes before it was taken. */
    private long changes;

    /** When it was tried first; 0 if it was not. */
    private long triedAt;

    Entry(long number, PodView pod) {
      this.number = number;
      this.pod = pod;
    }
  }

  PodQueue(LongSupplier nanos) {
    this.nanos = nanos;
  }

  private static NavigableSet<Entry> byDue() {
    return new TreeSet<>(
        Comparator.<Entry>comparingLong(entry -> entry.due)
            .thenComparingLong(entry -> entry.number));
  }

  /** Adds a pod, or replaces its state; it is tried at once. */
  void put(PodView pod) {
    lock.lock();
    try {
      Entry known = take(pod.name());
      Entry entry = known == null ? new Entry(numbers++, pod) : known;
      entry.pod = pod;
      entries.put(pod.name(), entry);
      ready.add(entry);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Replaces the state of a pod without trying it sooner; nothing if it is not in the queue. */
  void replace(PodView pod) {
    lock.lock();
    try {
      Entry entry = entries.get(pod.name());
      if (entry != null) {
        // only the order of those that are ready depends on the pod
        boolean wasReady = ready.remove(entry);
        entry.pod = pod;
        if (wasReady) {
          ready.add(entry);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  void remove(ObjectName name) {
    lock.lock();
    try {
      Entry unused = take(name);
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Entry take(ObjectName name) {
    Entry entry = entries.remove(name);
    if (entry != null) {
      boolean unused = ready.remove(entry) || later.remove(entry) || unchanged.remove(entry);
    }
    return entry;
  }

  /** Waits for the next pod, which stays known until {@link #remove} or the next outcome. */
  PodView next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        long now = nanos.getAsLong();
        long due = Math.min(makeReady(later, now), makeReady(unchanged, now));
        Entry first = ready.pollFirst();
        if (first != null) {
          first.triedAt = first.triedAt == 0 ? now : first.triedAt;
          first.changes = changes;
          return first.pod;
        }
        if (due == Long.MAX_VALUE) {
          changed.await();
        } else {
          long unused = changed.awaitNanos(due - now);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Makes those ready whose time has come; returns when the next one's comes, or the maximum. */
  private long makeReady(NavigableSet<Entry> waiting, long now) {
    while (!waiting.isEmpty() && waiting.getFirst().due - now <= 0) {
      ready.add(waiting.pollFirst());
    }
    return waiting.isEmpty() ? Long.MAX_VALUE : waiting.getFirst().due;
  }

  /** A pod that was taken has no node: it waits for a change. */
  void failed(ObjectName name) {
    lock.lock();
    try {
      Entry entry = entries.get(name);
      if (entry != null && !ready.contains(entry)) {
        entry.attempts++;
        await(entry, nanos.getAsLong());
      }
    } finally {
      lock.unlock();
    }
  }

  /** A pod that was taken cannot be tried before something changes, and then at once. */
  void park(ObjectName name) {
    lock.lock();
    try {
      Entry entry = entries.get(name);
      if (entry != null && !ready.contains(entry)) {
        await(entry, nanos.getAsLong() - LONGEST_BACK_OFF);
      }
    } finally {
      lock.unlock();
    }
  }

  /** A change since the entry was taken may have come too late for the attempt. */
  private void await(Entry entry, long failedAt) {
    boolean unused = later.remove(entry) || unchanged.remove(entry);
    entry.failedAt = failedAt;
    if (entry.changes == changes) {
      entry.due = nanos.getAsLong() + LONGEST_WAIT;
      unchanged.add(entry);
    } else {
      backOff(entry);
    }
  }

  private void backOff(Entry entry) {
    entry.due = entry.failedAt + backOff(entry.attempts);
    later.add(entry);
    changed.signal();
  }

  /** Something changed that may let pods fit that did not. */
  void retry() {
    lock.lock();
    try {
      changes++;
      unchanged.forEach(this::backOff);
      unchanged.clear();
    } finally {
      lock.unlock();
    }
  }

  private static long backOff(int attempts) {
    return Math.min(LONGEST_BACK_OFF, FIRST_BACK_OFF << Math.clamp(attempts - 1, 0, 10));
  }

  /**
   * How long a pod was tried.
   *
   * @param attempts those that have begun
   * @param begin of the first, of the monotonic clock
   */
  record Tried(int attempts, long begin) {}

  /** How long a pod was tried that is in the queue; empty if it is not. */
  Optional<Tried> tried(ObjectName name) {
    lock.lock();
    try {
      Entry entry = entries.get(name);
      return entry == null
          ? Optional.empty()
          : Optional.of(new Tried(entry.attempts + 1, entry.triedAt));
    } finally {
      lock.unlock();
    }
  }

  /** How many pods wait. */
  int size(SchedulerMetrics.Waiting reason) {
    lock.lock();
    try {
      return switch (reason) {
        case ACTIVE -> ready.size();
        case BACKOFF -> later.size();
        case UNSCHEDULABLE -> unchanged.size();
        case GATED -> 0;
      };
    } finally {
      lock.unlock();
    }
  }

  int size() {
    lock.lock();
    try {
      return entries.size();
    } finally {
      lock.unlock();
    }
  }
}
