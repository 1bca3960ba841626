package dev.keelson.watch;

import dev.keelson.storage.KeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One watcher's place at a type: the events of a range of keys in order, from some revision on,
 * none left out. The reader takes them when it can; when it lags behind by more than the bound it
 * is cut off, so that it neither costs memory nor slows others.
 *
 * <p>Threads: the cache offers, one reader polls, anybody may close.
 */
final class Subscription implements EventStream {

  /** How many events may wait for a reader. The events themselves are shared with the history. */
  static final int MOST_WAITING = 16_384;

  private final TypeCache cache;
  private final KeyRange range;
  private final @Nullable Chosen chosen;
  private final Runnable wake;

  /** The watch begins after this revision, which the cache may not have reached yet. */
  private final long after;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<CacheEvent> waiting = new ArrayDeque<>(4);
  private long revision;
  private boolean signalled;
  private @Nullable End end;

  Subscription(
      TypeCache cache, KeyRange range, @Nullable Chosen chosen, long revision, Runnable wake) {
    this.cache = cache;
    this.range = range;
    this.chosen = chosen;
    this.revision = revision;
    this.wake = wake;
    this.after = revision;
  }

  /** The keys that it is about. */
  KeyRange range() {
    return range;
  }

  /** The value that the objects must have that it is about; null if any will do. */
  @Nullable Chosen chosen() {
    return chosen;
  }

  /** Called by the cache in the order of events. */
  void offer(CacheEvent event) {
    if (event.revision() <= after) {
      return;
    }
    lock.lock();
    try {
      if (end == null) {
        if (waiting.size() >= MOST_WAITING) {
          waiting.clear();
          end = End.LAGGED;
          // a reader that was woken and does not poll has to be told again
          signalled = false;
        } else {
          waiting.add(event);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Tells the reader, once until it polls, that there is something to take. */
  void signal() {
    lock.lock();
    try {
      if (signalled) {
        return;
      }
      signalled = true;
    } finally {
      lock.unlock();
    }
    wake.run();
  }

  @Override
  public Batch poll(int most) {
    long reached = cache.revision();
    lock.lock();
    try {
      signalled = false;
      List<CacheEvent> events = new ArrayList<>(Math.min(most, waiting.size()));
      while (events.size() < most && !waiting.isEmpty()) {
        events.add(waiting.poll());
      }
      if (!events.isEmpty()) {
        revision = events.getLast().revision();
      }
      if (waiting.isEmpty()) {
        // what the cache had reached before the look at the queue has been offered by then
        revision = Math.max(revision, reached);
      }
      return new Batch(events, revision, waiting.isEmpty() ? end : null);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean lagged() {
    lock.lock();
    try {
      return end == End.LAGGED;
    } finally {
      lock.unlock();
    }
  }

  void end(End why) {
    lock.lock();
    try {
      if (end == null) {
        end = why;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    end(End.CLOSED);
    cache.remove(this);
  }
}
