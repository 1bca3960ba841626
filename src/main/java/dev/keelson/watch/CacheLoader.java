package dev.keelson.watch;

import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Loads all objects of a type from the store into its cache. One thread reads, the others wait for
 * it. Safe for use by several threads.
 *
 * <p>Lock order: the loader's lock, then the cache's, which the methods of {@link Target} take.
 */
final class CacheLoader {

  private static final Logger LOG = Logger.getLogger(CacheLoader.class);

  /** Page size, small enough for short-lived garbage. */
  private static final int PAGE = 1_000;

  /** The least time between two attempts to load a type with an object that is not decrypted. */
  private static final Duration UNREADABLE_PAUSE = Duration.ofSeconds(1);

  private final RevisionedStore store;
  private final KeyRange keys;
  private final Target target;
  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicBoolean preparing = new AtomicBoolean();

  /** The last failure to decrypt an object; guarded by the lock. */
  private StorageException.@Nullable Transformation unreadable;

  /** When that was, by {@link System#nanoTime}. */
  private long unreadableAt;

  /**
   * The loaded objects of a type.
   *
   * @param objects the state at {@code revision}
   * @param slabs the slabs of their bytes
   */
  record Loaded(SnapshotTree objects, Slabs slabs, long revision) {}

  /** The cache that is loaded. */
  interface Target {

    /** Whether the cache is loaded. */
    boolean ready();

    /**
     * Starts to queue changes, before the first page is read.
     *
     * @throws StorageException if the feed fails
     */
    void begin();

    /** Publishes the loaded objects, unless the cache was reset since {@link #begin}. */
    void finish(Loaded loaded);

    /** Drops the queued changes after a failure. */
    void abort();
  }

  CacheLoader(RevisionedStore store, KeyRange keys, Target target) {
    this.store = store;
    this.keys = keys;
    this.target = target;
  }

  /** Starts to load the type in the background unless it is loading or loaded. */
  void start() {
    if (target.ready() || !preparing.compareAndSet(false, true)) {
      return;
    }
    Thread.ofVirtual()
        .name("watch-cache-load")
        .start(
            () -> {
              try {
                load();
              } catch (StorageException e) {
                LOG.debugf("event=cache-not-loaded keys=%s error=%s", keys, e.getMessage());
              } finally {
                preparing.set(false);
              }
            });
  }

  /**
   * Loads the type unless it is loaded; blocks.
   *
   * @throws StorageException if the store does not respond
   */
  void load() {
    if (target.ready()) {
      return;
    }
    lock.lock();
    try {
      while (!target.ready()) {
        loadReadable();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Loads the type unless that failed a moment ago because an object cannot be decrypted: every
   * read of the type comes by here, and each attempt reads all objects.
   */
  private void loadReadable() {
    StorageException.Transformation last = unreadable;
    if (last != null && System.nanoTime() - unreadableAt < UNREADABLE_PAUSE.toNanos()) {
      throw last;
    }
    try {
      loadOnce();
      unreadable = null;
    } catch (StorageException.Transformation e) {
      unreadable = e;
      unreadableAt = System.nanoTime();
      throw e;
    }
  }

  private void loadOnce() {
    target.begin();
    Loaded loaded;
    try {
      loaded = read();
    } catch (RuntimeException e) {
      target.abort();
      throw e;
    }
    target.finish(loaded);
  }

  private Loaded read() {
    List<Entry> entries = new ArrayList<>();
    Slabs slabs = new Slabs();
    KeyRange rest = keys;
    long revision = RevisionedStore.NEWEST;
    while (true) {
      Page page = store.range(rest, revision, PAGE);
      page.entries().forEach(entry -> entries.add(slabs.keep(entry)));
      revision = page.revision();
      if (!page.more() || page.entries().isEmpty()) {
        return new Loaded(SnapshotTree.ofSorted(entries), slabs, revision);
      }
      rest = rest.startingAfter(page.entries().getLast().key());
    }
  }
}
