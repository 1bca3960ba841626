package dev.keelson.server.store;

import dev.keelson.controller.ControllerLoop;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.jboss.logging.Logger;

/**
 * Compacts the store at regular intervals, each time to the revision it had one interval before, so
 * that at least one interval of history remains. Several servers may compact one store; the later
 * one finds nothing to do.
 */
public final class Compaction implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Compaction.class);

  private final RevisionedStore store;
  private final Duration interval;
  private final LongConsumer onCompacted;
  private final ControllerLoop loop;

  /** The revision of the last turn; used by the loop alone. */
  private long before;

  /**
   * Not yet running.
   *
   * @param interval the time between two compactions; zero disables them
   * @param onCompacted takes the revision that the store was compacted to
   */
  public Compaction(RevisionedStore store, Duration interval, LongConsumer onCompacted) {
    this.store = store;
    this.interval = interval;
    this.onCompacted = onCompacted;
    this.loop = ControllerLoop.every("compaction", interval, this::compact);
  }

  /** Starts, unless the interval is zero. */
  public void start() {
    if (!interval.isZero()) {
      loop.start();
    }
  }

  @Override
  public void close() {
    loop.close();
  }

  private void compact() {
    try {
      if (before > 0) {
        store.compact(before);
        LOG.debugf("event=compacted rev=%d", before);
      }
    } catch (StorageException.Compacted e) {
      LOG.debugf("event=compacted-elsewhere rev=%d", before);
    }
    if (before > 0) {
      onCompacted.accept(before);
    }
    before = store.revision();
  }
}
