package dev.keelson.watch;

import dev.keelson.storage.KeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A watcher of a type: delivers the events of a key range after a revision, in order and without
 * gaps. The reader polls them; a reader that lags by more than the limit is terminated, so that it
 * neither costs memory nor slows down others.
 *
 * <p>Threads: the cache offers, one reader polls, any thread may close. The lock guards the queue
 * and the end; no other lock is taken and no callback runs under it.
 */
final class CacheWatcher implements EventStream {

  /** The largest number of events in the queue, which shares the events with the history. */
  static final int QUEUE_LIMIT = 16_384;

  private final KeyRange range;
  private final @Nullable IndexValue value;
  private final Runnable wake;

  /** The watch begins after this revision, which the cache may not have reached yet. */
  private final long after;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<CacheEvent> queue = new ArrayDeque<>(4);
  private long revision;
  private boolean signalled;
  private @Nullable End end;

  private final LongSupplier reached;
  private final Consumer<CacheWatcher> remove;

  /**
   * A watcher; the cache adds it to its watchers.
   *
   * @param revision the watch begins after it
   * @param wake runs when there is something to poll
   * @param reached the revision of the cache
   * @param remove removes the watcher from the cache
   */
  CacheWatcher(
      KeyRange range,
      @Nullable IndexValue value,
      long revision,
      Runnable wake,
      LongSupplier reached,
      Consumer<CacheWatcher> remove) {
    this.range = range;
    this.value = value;
    this.revision = revision;
    this.wake = wake;
    this.after = revision;
    this.reached = reached;
    this.remove = remove;
  }

  /** The keys that it watches. */
  KeyRange range() {
    return range;
  }

  /** The value that selects the objects; null if all are watched. */
  @Nullable IndexValue value() {
    return value;
  }

  /** Adds an event; called by the cache in order. */
  void offer(CacheEvent event) {
    if (event.revision() <= after) {
      return;
    }
    lock.lock();
    try {
      if (end == null) {
        if (queue.size() >= QUEUE_LIMIT) {
          queue.clear();
          end = End.LAGGED;
          // a reader that was woken and does not poll is woken again
          signalled = false;
        } else {
          queue.add(event);
        }
      }
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the reader, once until it polls. */
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
    long applied = reached.getAsLong();
    lock.lock();
    try {
      signalled = false;
      List<CacheEvent> events = new ArrayList<>(Math.min(most, queue.size()));
      while (events.size() < most && !queue.isEmpty()) {
        events.add(queue.poll());
      }
      if (!events.isEmpty()) {
        revision = events.getLast().revision();
      }
      if (queue.isEmpty()) {
        // everything up to this revision was offered before the queue was read
        revision = Math.max(revision, applied);
      }
      return new Batch(events, revision, queue.isEmpty() ? end : null);
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
    remove.accept(this);
  }
}
