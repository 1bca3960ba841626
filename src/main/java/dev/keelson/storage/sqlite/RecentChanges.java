package dev.keelson.storage.sqlite;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed.Batch;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.StorageException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A ring buffer of the newest changes, shared by all feeds. Each feed has its own position; one
 * that falls behind the buffer reads the log instead, so that no feed blocks the writer.
 */
final class RecentChanges {

  private static final int CAPACITY = 8192;
  private static final long MOST_BYTES = 16L << 20;

  /** Maximum changes that a feed examines while it holds the lock. */
  private static final int LOOK = 1024;

  // Revisions have no gaps here (each change of this store has its own), so the change of revision
  // r lies at r modulo CAPACITY. The lock guards everything below.
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final @Nullable Change[] ring = new @Nullable Change[CAPACITY];
  private long first;
  private long last;
  private long bytes;

  /**
   * @param newest the store's revision, which is not held
   */
  RecentChanges(long newest) {
    first = newest + 1;
    last = newest;
  }

  /** Adds what was committed; the revisions follow those before without a gap. */
  void publish(List<Change> changes) {
    lock.lock();
    try {
      for (Change change : changes) {
        if (change.revision() != last + 1) {
          throw new IllegalStateException(
              "revision %d follows %d".formatted(change.revision(), last));
        }
        if (last - first + 1 == CAPACITY) {
          dropFirst();
        }
        last++;
        ring[slot(last)] = change;
        bytes += size(change);
      }
      while (bytes > MOST_BYTES && first <= last) {
        dropFirst();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void dropFirst() {
    Change old = ring[slot(first)];
    if (old != null) {
      bytes -= size(old);
    }
    ring[slot(first)] = null;
    first++;
  }

  private static int slot(long revision) {
    return (int) (revision % CAPACITY);
  }

  /** Wakes all feeds, so that they see whether they were closed. */
  void wake() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The result of a poll. */
  sealed interface Look {
    /** The next batch. */
    record Found(Batch batch) implements Look {}

    /** No change before the timeout. */
    record Nothing() implements Look {}

    /** The position is no longer in the buffer: read the log. */
    record Behind() implements Look {}
  }

  /**
   * Waits for changes after {@code after}.
   *
   * @param closed whether the feed was closed meanwhile
   * @throws StorageException.Closed if it was
   */
  Look next(KeyRange range, long after, long nanos, BooleanSupplier closed)
      throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (true) {
        if (closed.getAsBoolean()) {
          throw new StorageException.Closed("the feed was closed");
        }
        if (after < last) {
          return after + 1 < first ? new Look.Behind() : new Look.Found(collect(range, after));
        }
        if (left <= 0) {
          return new Look.Nothing();
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private Batch collect(KeyRange range, long after) {
    List<Change> found = new ArrayList<>();
    long end = Math.min(last, after + LOOK);
    for (long revision = after + 1; revision <= end; revision++) {
      Change change = ring[slot(revision)];
      if (change != null && range.contains(change.key())) {
        found.add(change);
      }
    }
    return new Batch(found, end);
  }

  private static long size(Change change) {
    Entry previous = change.previous();
    long size = 200L + change.key().length() + (previous == null ? 0 : length(previous.value()));
    return change instanceof Change.Put put ? size + length(put.entry().value()) : size;
  }

  private static long length(Bytes bytes) {
    return bytes.length();
  }
}
