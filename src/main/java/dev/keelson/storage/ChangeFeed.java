package dev.keelson.storage;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An ordered stream of the changes of a range. One thread reads it; any thread may close it, which
 * ends a waiting {@code next}.
 *
 * <p>A feed mends broken connections by itself and resumes after the last change that it handed
 * out, so that the reader sees every change once, in the order of revisions, and all changes of one
 * revision in one batch.
 */
public interface ChangeFeed extends AutoCloseable {

  /**
   * Some changes and how far they reach.
   *
   * @param changes the changes in order; empty when only progress is told
   * @param revision every change up to here has been handed out, this batch included; never runs
   *     ahead of the changes
   */
  record Batch(List<Change> changes, long revision) {
    public Batch {
      changes = List.copyOf(changes);
    }
  }

  /**
   * Waits for the next batch.
   *
   * @return the batch, or null if nothing came within {@code timeout}
   * @throws StorageException.Compacted if the history after the last batch is gone: read the range
   *     anew
   * @throws StorageException.Closed if the feed or the store was closed
   * @throws InterruptedException if the thread was interrupted while it waited
   */
  @Nullable Batch next(Duration timeout) throws InterruptedException;

  /** Ends the feed; may be called twice. */
  @Override
  void close();
}
