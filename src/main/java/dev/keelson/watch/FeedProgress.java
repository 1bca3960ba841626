package dev.keelson.watch;

import dev.keelson.storage.RevisionedStore;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The revision that the feed has reached: every change up to it has been applied to the caches.
 * Safe for use by several threads.
 */
final class FeedProgress {

  /** How long consistent reads of a busy server wait at most to share a request of the revision. */
  private static final Duration SHARED_INTERVAL = Duration.ofNanos(1_500_000);

  /** After so long a wait the feed is asked how far it has got; then after twice as long. */
  private static final long FIRST_WAIT_NANOS = Duration.ofMillis(10).toNanos();

  private static final long LONGEST_WAIT_NANOS = Duration.ofMillis(100).toNanos();

  private final RevisionCheck check;
  private final Runnable request;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private volatile long reached;
  private boolean closed;

  /**
   * Of a feed of a store.
   *
   * @param request asks the feed for progress that no change makes; does not wait for it
   */
  FeedProgress(RevisionedStore store, Runnable request) {
    this.request = request;
    check = new RevisionCheck(store::revision, SHARED_INTERVAL);
  }

  /** The revision up to which every change is in the caches. */
  long reached() {
    return reached;
  }

  /**
   * The store's newest revision at a time after this call began; concurrent callers share one
   * request.
   *
   * @throws dev.keelson.storage.StorageException if the store does not respond
   */
  long storeRevision() throws InterruptedException {
    return check.next();
  }

  /** Waits until {@link #reached} is at least {@code revision}; false on timeout. */
  boolean await(long revision, Duration patience) throws InterruptedException {
    if (reached >= revision) {
      return true;
    }
    long end = System.nanoTime() + patience.toNanos();
    for (long wait = FIRST_WAIT_NANOS; ; wait = Math.min(2 * wait, LONGEST_WAIT_NANOS)) {
      if (await(revision, Math.min(wait, end - System.nanoTime()))) {
        return reached >= revision;
      }
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      request.run();
    }
  }

  /** Whether the wait is over, since the revision is reached or nothing more will come. */
  private boolean await(long revision, long nanos) throws InterruptedException {
    long left = nanos;
    lock.lock();
    try {
      while (reached < revision && !closed) {
        if (left <= 0) {
          return false;
        }
        left = advanced.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Records that every change up to {@code revision} has been applied. */
  void advance(long revision) {
    lock.lock();
    try {
      reached = Math.max(reached, revision);
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Goes to the revision of a store that has been restored from a backup, older or not. */
  void restart(long revision) {
    lock.lock();
    try {
      reached = revision;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits. */
  void close() {
    lock.lock();
    try {
      closed = true;
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
