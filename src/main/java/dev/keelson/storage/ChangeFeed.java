package dev.keelson.storage;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An ordered stream of the changes of a range. One thread reads it; any thread may close it, which
 * ends a waiting {@code next}.
 *
 * <p>A feed reconnects on its own and resumes after the last delivered change, so that the reader
 * sees every change once, in the order of revisions, and all changes of one revision in one batch.
 */
public interface ChangeFeed extends AutoCloseable {

  /**
   * Changes and the revision up to which the feed is complete.
   *
   * @param changes the changes in order; empty for progress only
   * @param revision every change up to it has been delivered, this batch included; never ahead of
   *     the changes
   * @param unreadable the keys with a change up to it that is not in {@code changes}, because its
   *     value cannot be decrypted
   */
  record Batch(List<Change> changes, long revision, List<Bytes> unreadable) {
    public Batch {
      changes = List.copyOf(changes);
      unreadable = List.copyOf(unreadable);
    }

    /** A batch of readable changes. */
    public Batch(List<Change> changes, long revision) {
      this(changes, revision, List.of());
    }
  }

  /**
   * Waits for the next batch.
   *
   * @return the batch, or null if nothing came within {@code timeout}
   * @throws StorageException.Compacted if the history after the last batch is compacted: read the
   *     range again
   * @throws StorageException.RolledBack if the store is at an older revision than the last batch
   * @throws StorageException.Closed if the feed or the store was closed
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  @Nullable Batch next(Duration timeout) throws InterruptedException;

  /**
   * Asks the store how far the feed has got, for a reader that waits for a revision: a change that
   * is not in the range makes no batch by itself. Progress comes as a batch, or not at all if the
   * store cannot tell. Does not wait for it; called by any thread, as often as it likes.
   */
  default void requestProgress() {}

  /** Ends the feed; may be called twice. */
  @Override
  void close();
}
