package dev.keelson.scheduler;

import dev.keelson.client.informer.ObjectName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
  private final TreeSet<Entry> ready =
      new TreeSet<>(
          Comparator.<Entry>comparingInt(entry -> -entry.pod.priority())
              .thenComparingLong(entry -> entry.number));

  /** In the order in which their time comes. */
  private final TreeSet<Entry> later =
      new TreeSet<>(
          Comparator.<Entry>comparingLong(entry -> entry.due)
              .thenComparingLong(entry -> entry.number));

  private long numbers;

  private static final class Entry {
    private final long number;
    private PodView pod;
    private int attempts;
    private long failedAt;
    private long due;

    /** When it was tried first; 0 if it was not. */
    private long triedAt;

    Entry(long number, PodView pod) {
      this.number = number;
      this.pod = pod;
    }

    boolean waitsForChange() {
      return due - failedAt >= LONGEST_WAIT;
    }
  }

  PodQueue(LongSupplier nanos) {
    this.nanos = nanos;
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
        boolean waits = later.remove(entry);
        boolean wasReady = ready.remove(entry);
        entry.pod = pod;
        if (waits) {
          later.add(entry);
        } else if (wasReady) {
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
      boolean unused = ready.remove(entry) || later.remove(entry);
    }
    return entry;
  }

  /** Waits for the next pod, which stays known until {@link #remove} or the next outcome. */
  PodView next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        long now = nanos.getAsLong();
        while (!later.isEmpty() && later.getFirst().due - now <= 0) {
          ready.add(later.pollFirst());
        }
        Entry first = ready.pollFirst();
        if (first != null) {
          first.triedAt = first.triedAt == 0 ? now : first.triedAt;
          return first.pod;
        }
        if (later.isEmpty()) {
          changed.await();
        } else {
          long unused = changed.awaitNanos(later.getFirst().due - now);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** A pod that was taken has no node: it waits for a change. */
  void failed(ObjectName name) {
    lock.lock();
    try {
      Entry entry = entries.get(name);
      if (entry != null && !ready.contains(entry)) {
        entry.attempts++;
        entry.failedAt = nanos.getAsLong();
        later.remove(entry);
        entry.due = entry.failedAt + LONGEST_WAIT;
        later.add(entry);
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
        long now = nanos.getAsLong();
        later.remove(entry);
        entry.failedAt = now - LONGEST_BACK_OFF;
        entry.due = now + LONGEST_WAIT;
        later.add(entry);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Something changed that may let pods fit that did not. */
  void retry() {
    lock.lock();
    try {
      List<Entry> waiting = new ArrayList<>(later);
      for (Entry entry : waiting) {
        long due = entry.failedAt + backOff(entry.attempts);
        if (due < entry.due) {
          later.remove(entry);
          entry.due = due;
          later.add(entry);
        }
      }
      changed.signal();
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
      // the time of those that wait for a change is known by their longest wait
      return switch (reason) {
        case ACTIVE -> ready.size();
        case BACKOFF -> (int) later.stream().filter(entry -> !entry.waitsForChange()).count();
        case UNSCHEDULABLE -> (int) later.stream().filter(Entry::waitsForChange).count();
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
