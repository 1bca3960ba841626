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
  private static final Duration SHARED_INTERVAL = Duration.ofMillis(1);

  private final RevisionCheck check;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private volatile long reached;
  private boolean closed;

  FeedProgress(RevisionedStore store) {
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
    long left = patience.toNanos();
    lock.lock();
    try {
      while (reached < revision) {
        if (left <= 0 || closed) {
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
