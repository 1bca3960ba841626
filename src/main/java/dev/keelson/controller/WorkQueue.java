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
 * What controllers still have to look at: each item at most once at a time, and again if it was
 * added while somebody looked at it. Failures are tried again after pauses that grow. Safe for use
 * by several threads.
 *
 * @param <T> items, equal by value
 */
public final class WorkQueue<T> {

  private record Later<T>(T item, long dueNanos) {}

  private final Duration firstPause;
  private final Duration longestPause;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Queue<T> ready = new ArrayDeque<>();
  private final Set<T> waiting = new HashSet<>();
  private final Set<T> underWay = new HashSet<>();
  private final Map<T, Integer> failures = new HashMap<>();
  private final Queue<Later<T>> later =
      new PriorityQueue<>(Comparator.comparingLong((Later<T> item) -> item.dueNanos()));

  public WorkQueue(Duration firstPause, Duration longestPause) {
    this.firstPause = firstPause;
    this.longestPause = longestPause;
  }

  /** Has {@code item} looked at. */
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

  /** The next item; {@link #done} or {@link #failed} must follow. */
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

  /** The item has been dealt with. */
  public void done(T item) {
    lock.lock();
    try {
      failures.remove(item);
      finish(item);
    } finally {
      lock.unlock();
    }
  }

  /** The item has to be looked at again after a pause. */
  public void failed(T item) {
    lock.lock();
    try {
      int times = failures.merge(item, 1, Integer::sum);
      long pause = firstPause.toNanos() << Math.min(times - 1, 20);
      later.add(new Later<>(item, System.nanoTime() + Math.min(pause, longestPause.toNanos())));
      finish(item);
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  private void finish(T item) {
    underWay.remove(item);
    if (waiting.contains(item)) {
      ready.add(item);
      more.signal();
    }
  }

  /** Adds what is due; the time until the next, in nanoseconds, or the longest if there is none. */
  private long releaseDue() {
    long now = System.nanoTime();
    Later<T> next = later.peek();
    while (next != null && next.dueNanos() - now <= 0) {
      later.remove();
      if (waiting.add(next.item()) && !underWay.contains(next.item())) {
        ready.add(next.item());
      }
      next = later.peek();
    }
    return next == null ? Long.MAX_VALUE : next.dueNanos() - now;
  }
}
