package dev.keelson.storage.sqlite;

import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A feed that reads the recent changes in memory, and the log when it is not among them. */
final class SqliteFeed implements ChangeFeed {

  private final RecentChanges recent;
  private final ReadPool readers;
  private final KeyRange range;
  private final long compactedAtStart;
  private final Consumer<SqliteFeed> whenClosed;
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Every change up to here has been handed out; of the reader. */
  private long reached;

  SqliteFeed(
      RecentChanges recent,
      ReadPool readers,
      KeyRange range,
      long afterRevision,
      long compactedAtStart,
      Consumer<SqliteFeed> whenClosed) {
    this.recent = recent;
    this.readers = readers;
    this.range = range;
    this.reached = afterRevision;
    this.compactedAtStart = compactedAtStart;
    this.whenClosed = whenClosed;
  }

  @Override
  public @Nullable Batch next(Duration timeout) throws InterruptedException {
    // the buffer may still hold compacted changes; the result must not depend on it
    if (reached < compactedAtStart) {
      throw new StorageException.Compacted(compactedAtStart);
    }
    Batch batch =
        switch (recent.next(range, reached, timeout.toNanos(), closed::get)) {
          case RecentChanges.Look.Found(Batch found) -> found;
          case RecentChanges.Look.Nothing() -> null;
          case RecentChanges.Look.Behind() -> fromLog();
        };
    if (batch != null) {
      reached = batch.revision();
    }
    return batch;
  }

  private Batch fromLog() throws InterruptedException {
    try {
      return readers.read(session -> session.changes(range, reached));
    } catch (StorageException.Unavailable e) {
      if (Thread.interrupted()) {
        throw (InterruptedException)
            new InterruptedException("interrupted before the log was read").initCause(e);
      }
      throw e;
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      recent.wake();
      whenClosed.accept(this);
    }
  }
}
