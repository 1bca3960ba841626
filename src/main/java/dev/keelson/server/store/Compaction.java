package dev.keelson.server.store;

import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the store's history at regular intervals: at each turn to the revision that the store had at
 * the turn before, so that at least one interval of history is kept. Several servers may do so on
 * one store; the later cut finds nothing to do.
 */
public final class Compaction implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Compaction.class);

  private final RevisionedStore store;
  private final Duration interval;
  private final LongConsumer onCompacted;
  private volatile @Nullable Thread thread;

  /**
   * Not yet running.
   *
   * @param interval the time between two cuts; zero means that the history is never cut
   * @param onCompacted is told the revision before which the store has forgotten
   */
  public Compaction(RevisionedStore store, Duration interval, LongConsumer onCompacted) {
    this.store = store;
    this.interval = interval;
    this.onCompacted = onCompacted;
  }

  public void start() {
    if (!interval.isZero()) {
      thread = Thread.ofVirtual().name("compaction").start(this::run);
    }
  }

  @Override
  public void close() {
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  private void run() {
    long before = 0;
    try {
      while (true) {
        before = turn(before);
        Thread.sleep(interval);
      }
    } catch (InterruptedException | StorageException.Closed e) {
      Thread.currentThread().interrupt();
    }
  }

  private long turn(long before) {
    try {
      if (before > 0) {
        store.compact(before);
        onCompacted.accept(before);
        LOG.debugf("event=compacted rev=%d", before);
      }
      return store.revision();
    } catch (StorageException.Compacted e) {
      LOG.debugf("event=compacted-elsewhere rev=%d", before);
      onCompacted.accept(before);
      return revisionOr(before);
    } catch (StorageException.Closed e) {
      throw e;
    } catch (StorageException e) {
      LOG.warnf("event=compaction-failed rev=%d error=%s", before, e.getMessage());
      return before;
    }
  }

  private long revisionOr(long before) {
    try {
      return store.revision();
    } catch (StorageException.Unavailable e) {
      return before;
    }
  }
}
