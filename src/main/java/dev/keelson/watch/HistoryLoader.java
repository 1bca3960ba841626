package dev.keelson.watch;

import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Extends the history of a cache back to the revision at which a watcher resumes, from the store's
 * history. After a restart of the server the cache's history is empty, and all clients resume their
 * watches at once: one thread reads the store for all of them. Safe for use by several threads.
 *
 * <p>Lock order: this lock, then the cache's.
 */
final class HistoryLoader {

  /*
   * A feed of all types is read, not one of this type: every revision of the store is a change of
   * some key, so that the change at the cache's oldest revision proves that the history up to it is
   * complete. A feed of a quiet type proves that by a progress notification of etcd alone, which
   * versions of etcd before 3.4.31 do not give reliably.
   */

  /** The largest number of revisions to extend by; further back each watcher reads the store. */
  static final int MOST_REVISIONS = 16_384;

  /** How long to wait for the store. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final RevisionedStore store;
  private final KeyRange all;
  private final KeyRange keys;
  private final LongSupplier oldest;
  private final Prepend prepend;
  private final ReentrantLock lock = new ReentrantLock();

  /** Until when nothing is tried after the store took too long; guarded by the lock. */
  private long pausedUntilNanos = System.nanoTime();

  /** The revisions of the waiting threads, with their numbers. */
  private final ConcurrentSkipListMap<Long, Integer> waiting = new ConcurrentSkipListMap<>();

  /** Adds changes before the history of a cache. */
  interface Prepend {

    /**
     * Adds changes.
     *
     * @param from the history then begins after it
     * @param upTo the oldest revision so far; the changes are all up to it
     * @return false if the history no longer begins there, or there is no room
     */
    boolean before(long from, long upTo, List<Change> changes);
  }

  /**
   * A loader.
   *
   * @param all the keys of all types
   * @param keys those of the cache
   * @param oldest the oldest revision from which the cache can be watched
   */
  HistoryLoader(
      RevisionedStore store, KeyRange all, KeyRange keys, LongSupplier oldest, Prepend prepend) {
    this.store = store;
    this.all = all;
    this.keys = keys;
    this.oldest = oldest;
    this.prepend = prepend;
  }

  /**
   * Extends the history back to {@code revision}, if the store has it and it is not too long;
   * blocks.
   */
  void extend(long revision) throws InterruptedException {
    waiting.merge(revision, 1, Integer::sum);
    try {
      lock.lockInterruptibly();
      try {
        if (needed(revision)) {
          long first = Math.min(revision, waiting.firstKey());
          if (!needed(first) || !load(first)) {
            boolean unused = load(revision);
          }
        }
      } finally {
        lock.unlock();
      }
    } finally {
      waiting.compute(revision, (key, count) -> count == null || count == 1 ? null : count - 1);
    }
  }

  private boolean needed(long revision) {
    long begin = oldest.getAsLong();
    return revision < begin && begin - revision <= MOST_REVISIONS;
  }

  private boolean load(long from) throws InterruptedException {
    long upTo = oldest.getAsLong();
    if (from >= upTo) {
      return true;
    }
    if (System.nanoTime() - pausedUntilNanos < 0) {
      return false;
    }
    List<Change> changes = new ArrayList<>();
    long end = System.nanoTime() + PATIENCE.toNanos();
    try (ChangeFeed feed = store.feed(all, from)) {
      long reached = from;
      while (reached < upTo) {
        ChangeFeed.@Nullable Batch batch = feed.next(Duration.ofNanos(end - System.nanoTime()));
        if (batch == null) {
          // the others that wait must not wait as long one after the other
          pausedUntilNanos = System.nanoTime() + PATIENCE.toNanos();
          return false;
        }
        if (!batch.unreadable().isEmpty()) {
          return false;
        }
        for (Change change : batch.changes()) {
          if (change.revision() <= upTo && keys.contains(change.key())) {
            changes.add(change);
          }
        }
        reached = batch.revision();
      }
    } catch (StorageException e) {
      // the watcher that reads the store itself meets the same error, and reports it
      return false;
    }
    return prepend.before(from, upTo, changes);
  }
}
