package dev.keelson.server.embedded;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.time.Duration;

/** A store that is slow or away while the test wants it to be. Safe for use by several threads. */
public final class DisturbedStore extends ForwardingStore {

  private volatile Duration readDelay = Duration.ZERO;
  private volatile Duration writeDelay = Duration.ZERO;
  private volatile boolean away;

  /** A store that is not disturbed yet. */
  public DisturbedStore(RevisionedStore store) {
    super(store);
  }

  /** Delays every read and every write from now on. */
  public void delay(Duration reads, Duration writes) {
    readDelay = reads;
    writeDelay = writes;
  }

  /** Whether reads and writes fail from now on, as if the store could not be reached. */
  public void away(boolean unavailable) {
    away = unavailable;
  }

  @Override
  public Read get(Bytes key, long atRevision) {
    disturb(readDelay);
    return super.get(key, atRevision);
  }

  @Override
  public Page range(KeyRange range, long atRevision, int limit) {
    disturb(readDelay);
    return super.range(range, atRevision, limit);
  }

  @Override
  public WriteOutcome write(Write write) {
    disturb(writeDelay);
    return super.write(write);
  }

  private void disturb(Duration delay) {
    if (delay.isPositive()) {
      try {
        Thread.sleep(delay);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StorageException.Unavailable("interrupted", e);
      }
    }
    if (away) {
      throw new StorageException.Unavailable("the store is away, as the test wants", null);
    }
  }
}
