package dev.keelson.controller;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A work queue for controllers, as client-go's rate-limited one: an item is taken by one worker at
 * a time, and taken again if it was added meanwhile. Failed items are retried after an exponential
 * back-off. Safe for use by several threads.
 *
 * @param <T> items, equal by value
 */
public final class WorkQueue<T> {

  private record Later<T>(T item, long dueNanos) {}

  private final Duration firstPause;
  private final Duration longestPause;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Condition finished = lock.newCondition();
  private final Queue<T> ready = new ArrayDeque<>();
  private final Set<T> waiting = new HashSet<>();
  private final Set<T> underWay = new HashSet<>();
  private final Map<T, Integer> failures = new HashMap<>();
  private final Map<T, Long> due = new HashMap<>();
  private final Queue<Later<T>> later =
      new PriorityQueue<>(Comparator.comparingLong((Later<T> item) -> item.dueNanos()));

  /**
   * An empty queue.
   *
   * @param firstPause the back-off after the first failure of an item; doubled by each further one
   * @param longestPause the longest back-off
   */
  public WorkQueue(Duration firstPause, Duration longestPause) {
    this.firstPause = firstPause;
    this.longestPause = longestPause;
  }

  /** Adds {@code item}, unless it waits already. */
  public void add(T item) {
    lock.lock();
    try {
      if (waiting.add(item) && !underWay.contains(item)) {
        ready.add(item);
        more.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Adds {@code item} after a delay, unless it will be added sooner. */
  public void addAfter(T item, Duration delay) {
    lock.lock();
    try {
      addLater(item, delay.toNanos());
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
          waiting.remove(item);
          underWay.add(item);
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
      while (waiting.contains(item) || underWay.contains(item) || failures.containsKey(item)) {
        finished.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void addLater(T item, long nanos) {
    long time = System.nanoTime() + nanos;
    Long sooner = due.get(item);
    if (sooner == null || sooner - time > 0) {
      due.put(item, time);
      later.add(new Later<>(item, time));
    }
  }

  private void finish(T item) {
    underWay.remove(item);
    if (waiting.contains(item)) {
      ready.add(item);
      more.signal();
    }
  }

  /**
   * Moves due items to the queue; returns the time until the next one in nanoseconds, or the
   * maximum if there is none.
   */
  private long releaseDue() {
    long now = System.nanoTime();
    Later<T> next = later.peek();
    while (next != null && next.dueNanos() - now <= 0) {
      later.remove();
      // one that was added again sooner has another time
      if (due.remove(next.item(), next.dueNanos())
          && waiting.add(next.item())
          && !underWay.contains(next.item())) {
        ready.add(next.item());
      }
      next = later.peek();
    }
    return next == null ? Long.MAX_VALUE : next.dueNanos() - now;
  }
}
