package dev.keelson.controller;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * A work queue for controllers, as client-go's rate-limited one: an item is taken by one worker at
 * a time, and taken again if it was added meanwhile. Failed items are retried after an exponential
 * back-off. Safe for use by several threads.
 *
 * @param <T> items, equal by value
 */
public final class WorkQueue<T> implements WorkQueueMetrics.Queue {

  /** Longer ones do not fit a number of nanoseconds. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(36_500);

  private record Later<T>(T item, long dueNanos) {}

  private final String name;
  private final Duration firstPause;
  private final Duration longestPause;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Condition finished = lock.newCondition();
  private final Queue<T> ready = new ArrayDeque<>();

  /** When the item was added; also while an earlier addition of it is under way. */
  private final Map<T, Long> waiting = new HashMap<>();

  /** When the item was taken. */
  private final Map<T, Long> underWay = new HashMap<>();

  private final Map<T, Integer> failures = new HashMap<>();
  private final Map<T, Long> due = new HashMap<>();
  private final Queue<Later<T>> later =
      new PriorityQueue<>(Comparator.comparingLong((Later<T> item) -> item.dueNanos()));
  private WorkQueueMetrics.Events events = WorkQueueMetrics.NONE;

  /**
   * An empty queue.
   *
   * @param name in metrics: that of Kubernetes' queue for the same work where there is one
   * @param firstPause the back-off after the first failure of an item; doubled by each further one
   * @param longestPause the longest back-off
   */
  public WorkQueue(String name, Duration firstPause, Duration longestPause) {
    this(name, firstPause, longestPause, System::nanoTime);
  }

  /**
   * An empty queue with a clock of its own.
   *
   * @param nanos a monotonic clock, in nanoseconds
   */
  public WorkQueue(String name, Duration firstPause, Duration longestPause, LongSupplier nanos) {
    this.name = name;
    this.firstPause = firstPause;
    this.longestPause = longestPause;
    this.nanos = nanos;
  }

  @Override
  public String name() {
    return name;
  }

  /** Tells {@code metrics} what happens from now on; called at most once. */
  public void measure(WorkQueueMetrics metrics) {
    lock.lock();
    try {
      events = metrics.of(this);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the measuring, after the workers; may be called again. */
  public void endMeasuring() {
    lock.lock();
    try {
      events.ended();
      events = WorkQueueMetrics.NONE;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public int depth() {
    lock.lock();
    try {
      return waiting.size();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public WorkQueueMetrics.Unfinished unfinished() {
    lock.lock();
    try {
      long now = nanos.getAsLong();
      long total = 0;
      long longest = 0;
      for (long taken : underWay.values()) {
        total += now - taken;
        longest = Math.max(longest, now - taken);
      }
      return new WorkQueueMetrics.Unfinished(total, longest);
    } finally {
      lock.unlock();
    }
  }

  /** Adds {@code item}, unless it waits already. */
  public void add(T item) {
    lock.lock();
    try {
      addNow(item, nanos.getAsLong());
    } finally {
      lock.unlock();
    }
  }

  /** Adds {@code item} after a delay of at most 100 years, unless it will be added sooner. */
  public void addAfter(T item, Duration delay) {
    lock.lock();
    try {
      addLater(item, (delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY).toNanos());
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the next item, blocking; {@link #done} or {@link #failed} must follow. */
  public T take() throws InterruptedException {
    lock.lock();
    try {
      while (true) {
        long wait = releaseDue();
        T item = ready.poll();
        if (item != null) {
          long now = nanos.getAsLong();
          Long added = waiting.remove(item);
          underWay.put(item, now);
          events.taken(added == null ? 0 : now - added);
          return item;
        }
        if (wait == Long.MAX_VALUE) {
          more.await();
        } else {
          long unused = more.awaitNanos(wait);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Marks a taken item as processed and forgets its failures. */
  public void done(T item) {
    lock.lock();
    try {
      failures.remove(item);
      finish(item);
      finished.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Marks a taken item as failed: it is added again after its back-off. */
  public void failed(T item) {
    lock.lock();
    try {
      int times = failures.merge(item, 1, Integer::sum);
      long pause = firstPause.toNanos() << Math.min(times - 1, 20);
      addLater(item, Math.min(pause, longestPause.toNanos()));
      finish(item);
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Waits until the item is neither waiting nor taken nor to be retried. */
  public void awaitDone(T item) throws InterruptedException {
    lock.lock();
    try {
      while (waiting.containsKey(item)
          || underWay.containsKey(item)
          || failures.containsKey(item)) {
        finished.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void addNow(T item, long now) {
    if (waiting.putIfAbsent(item, now) == null) {
      events.added();
      if (!underWay.containsKey(item)) {
        ready.add(item);
        more.signal();
      }
    }
  }

  private void addLater(T item, long delayNanos) {
    events.retried();
    long time = nanos.getAsLong() + delayNanos;
    Long sooner = due.get(item);
    if (sooner == null || sooner - time > 0) {
      due.put(item, time);
      later.add(new Later<>(item, time));
    }
  }

  private void finish(T item) {
    Long taken = underWay.remove(item);
    if (taken != null) {
      events.done(nanos.getAsLong() - taken);
    }
    if (waiting.containsKey(item)) {
      ready.add(item);
      more.signal();
    }
  }

  /**
   * Moves due items to the queue; returns the time until the next one in nanoseconds, or the
   * maximum if there is none.
   */
  private long releaseDue() {
    long now = nanos.getAsLong();
    Later<T> next = later.peek();
    while (next != null && next.dueNanos() - now <= 0) {
      later.remove();
      // one that was added again sooner has another time
      if (due.remove(next.item(), next.dueNanos())) {
        addNow(next.item(), now);
      }
      next = later.peek();
    }
    return next == null ? Long.MAX_VALUE : next.dueNanos() - now;
  }
}
