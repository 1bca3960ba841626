package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads the feed of one store into the caches, on a thread of its own, and begins again when the
 * feed fails or its history is gone. Safe for use by several threads; the lock guards the start and
 * the end of the thread.
 */
final class StoreFollower implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(StoreFollower.class);
  private static final Duration POLL = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(200);

  /** The caches, called on the follower's thread. */
  interface Sink {

    /**
     * Applies changes.
     *
     * @return the watchers to wake when the progress includes the changes
     */
    Set<CacheWatcher> apply(ChangeFeed.Batch batch);

    /** Changes were lost: everything must be read from the store again. */
    void reset();
  }

  private final RevisionedStore store;
  private final Bytes root;
  private final Sink sink;
  private final FeedProgress progress;

  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;
  private @Nullable Thread thread;
  private volatile @Nullable ChangeFeed feed;

  /**
   * Not yet running.
   *
   * @param root the prefix of the keys that are followed
   */
  StoreFollower(RevisionedStore store, Bytes root, Sink sink) {
    this.store = store;
    this.root = root;
    this.sink = sink;
    this.progress = new FeedProgress(store, this::requestProgress);
  }

  private void requestProgress() {
    ChangeFeed open = feed;
    if (open != null) {
      open.requestProgress();
    }
  }

  /** How far the feed has come. */
  FeedProgress progress() {
    return progress;
  }

  /** Starts the feed unless it is running. */
  void ensureRunning() {
    lock.lock();
    try {
      if (thread == null && !closed) {
        progress.advance(store.revision());
        thread = Thread.ofPlatform().daemon().name("watch-cache").start(this::follow);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      if (thread != null) {
        thread.interrupt();
      }
    } finally {
      lock.unlock();
    }
    progress.close();
    ChangeFeed open = feed;
    if (open != null) {
      open.close();
    }
  }

  private void follow() {
    while (!Thread.currentThread().isInterrupted()) {
      try (ChangeFeed open = store.feed(KeyRange.prefix(root), progress.reached())) {
        feed = open;
        while (true) {
          ChangeFeed.Batch batch = open.next(POLL);
          if (batch != null) {
            Set<CacheWatcher> awake = sink.apply(batch);
            progress.advance(batch.revision());
            awake.forEach(CacheWatcher::signal);
          }
        }
      } catch (StorageException.Compacted e) {
        LOG.warnf(
            "event=watch-cache-reset reached=%d reason=%s", progress.reached(), e.getMessage());
        restart();
      } catch (StorageException.RolledBack e) {
        LOG.errorf(
            "event=store-rolled-back reached=%d reason=%s; all caches are dropped",
            progress.reached(), e.getMessage());
        restart();
      } catch (StorageException.Closed e) {
        return;
      } catch (StorageException e) {
        LOG.warnf(
            "event=watch-cache-feed-failed reached=%d error=%s",
            progress.reached(), e.getMessage());
        pause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * The feed cannot be resumed: its caches are reset, and the feed begins at the store's revision,
   * which may be an older one.
   */
  private void restart() {
    // before the caches load: what they load must not be older than where the feed begins
    progress.restart(newest());
    sink.reset();
  }

  /** The store's revision, when it answers; the one reached if this thread is to end. */
  private long newest() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        return store.revision();
      } catch (StorageException.Closed e) {
        break;
      } catch (StorageException e) {
        LOG.warnf("event=watch-cache-waits error=%s", e.getMessage());
        pause();
      }
    }
    return progress.reached();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
