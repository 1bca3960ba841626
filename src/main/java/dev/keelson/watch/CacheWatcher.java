package dev.keelson.watch;

import dev.keelson.storage.KeyRange;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A watcher of a type: delivers the events of a key range after a revision, in order and without
 * gaps. The reader polls them. A watcher whose reader lags keeps a few of them and the number of
 * the next one in the history of the type, so that it costs no memory and does not slow down
 * others; it is terminated when the reader does not poll for long, or the history does not reach
 * back any more.
 *
 * <p>Threads: the cache offers, one reader polls, any thread may close. The lock guards the queue
 * and the end; no callback runs under it. The lock of the cache is taken before it.
 */
final class CacheWatcher implements EventStream {

  /** The largest number of events in the queue, which shares the events with the history. */
  static final int QUEUE_LIMIT = 256;

  /** How many events of the type there may be between two polls of a reader that lags. */
  static final int LAG_LIMIT = 16_384;

  /** How many events of the history are looked through at a time, under the lock of the cache. */
  private static final int LOOKED_THROUGH = 4_096;

  private static final long NOT_BEHIND = -1;

  private final KeyRange range;
  private final @Nullable IndexValue value;
  private final Runnable wake;
  private final Source source;

  /** The watch begins after this revision, which the cache may not have reached yet. */
  private final long after;

  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<CacheEvent> queue = new ArrayDeque<>(4);
  private long revision;
  private boolean signalled;
  private @Nullable End end;

  /** The number of the first event that is neither queued nor polled; NOT_BEHIND if all are. */
  private long next = NOT_BEHIND;

  /** The number of the newest event when the reader fell behind, or polled last. */
  private long polled;

  /** The cache of a watcher. */
  interface Source {

    /** The revision of the cache. */
    long reached();

    /** Calls {@link CacheWatcher#catchUp}, or {@link CacheWatcher#giveUp} without a history. */
    void catchUp(CacheWatcher watcher);

    /** Removes the watcher from the cache. */
    void remove(CacheWatcher watcher);
  }

  /**
   * A watcher; the cache adds it to its watchers.
   *
   * @param value null if all objects are watched
   * @param revision the watch begins after it
   * @param wake runs when there is something to poll
   */
  CacheWatcher(
      KeyRange range, @Nullable IndexValue value, long revision, Runnable wake, Source source) {
    this.range = range;
    this.value = value;
    this.revision = revision;
    this.wake = wake;
    this.after = revision;
    this.source = source;
  }

  /** The keys that it watches. */
  KeyRange range() {
    return range;
  }

  /** The value that selects the objects; null if all are watched. */
  @Nullable IndexValue value() {
    return value;
  }

  /** Begins with the events from an index of the history on; called by the cache. */
  void begin(EventWindow window, int index) {
    lock.lock();
    try {
      next = window.first() + index;
      polled = window.first() + window.size();
    } finally {
      lock.unlock();
    }
    catchUp(window);
  }

  /** Adds a matching event of the history; called by the cache in order. */
  void offer(EventWindow window, int index) {
    CacheEvent event = window.get(index);
    if (event.revision() <= after) {
      return;
    }
    long number = window.first() + index;
    lock.lock();
    try {
      if (end != null) {
        return;
      }
      if (next != NOT_BEHIND) {
        if (next < window.first() || number - polled > LAG_LIMIT) {
          lag();
        }
      } else if (queue.size() < QUEUE_LIMIT) {
        queue.add(event);
      } else {
        next = number;
        polled = number;
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Queues events of the history that did not fit before; called by the cache, which may have to do
   * so again.
   */
  void catchUp(EventWindow window) {
    lock.lock();
    try {
      if (end != null || next == NOT_BEHIND) {
        return;
      }
      if (next < window.first()) {
        lag();
        return;
      }
      int at = Math.toIntExact(next - window.first());
      int most = Math.min(window.size(), at + LOOKED_THROUGH);
      while (at < most && queue.size() < QUEUE_LIMIT) {
        CacheEvent event = window.get(at);
        if (matches(event)) {
          queue.add(event);
        }
        at++;
      }
      next = at == window.size() ? NOT_BEHIND : window.first() + at;
      polled = window.first() + window.size();
    } finally {
      lock.unlock();
    }
  }

  private boolean matches(CacheEvent event) {
    return event.revision() > after
        && range.contains(event.key())
        && (value == null
            || value.value().equals(value.index().valueOf(event.before()))
            || value.value().equals(value.index().valueOf(event.after())));
  }

  /** There is no history any more; called by the cache. */
  void giveUp() {
    lock.lock();
    try {
      if (end == null && next != NOT_BEHIND) {
        lag();
      }
    } finally {
      lock.unlock();
    }
  }

  private void lag() {
    queue.clear();
    next = NOT_BEHIND;
    end = End.LAGGED;
    // a reader that was woken and does not poll is woken again
    signalled = false;
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
    long applied = source.reached();
    List<CacheEvent> events = begin(most);
    while (!take(events, most)) {
      source.catchUp(this);
    }
    lock.lock();
    try {
      if (!events.isEmpty()) {
        revision = events.getLast().revision();
      }
      if (queue.isEmpty() && next == NOT_BEHIND) {
        // everything up to this revision was offered before the queue was read
        revision = Math.max(revision, applied);
      }
      return new Batch(events, revision, queue.isEmpty() ? end : null);
    } finally {
      lock.unlock();
    }
  }

  /** From now on the reader is woken again. */
  private List<CacheEvent> begin(int most) {
    lock.lock();
    try {
      signalled = false;
      return new ArrayList<>(Math.min(most, queue.size()));
    } finally {
      lock.unlock();
    }
  }

  /** Takes events from the queue; false if the next ones must be read from the history. */
  private boolean take(List<CacheEvent> events, int most) {
    lock.lock();
    try {
      while (events.size() < most && !queue.isEmpty()) {
        events.add(queue.poll());
      }
      return events.size() == most || end != null || next == NOT_BEHIND;
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
        next = NOT_BEHIND;
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    end(End.CLOSED);
    source.remove(this);
  }
}
