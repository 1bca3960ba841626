package dev.keelson.server.store;

import dev.keelson.controller.ControllerLoop;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.time.Duration;
import java.util.function.LongConsumer;
import org.jboss.logging.Logger;

/**
 * Compacts the store at regular intervals, each time to the revision it had one interval before, so
 * that at least one interval of history remains and nothing older than two. Several servers may
 * compact one store; the later one finds nothing to do.
 *
 * <p>Each turn writes the key {@code compact_rev_key}, as kube-apiserver does (apiserver
 * pkg/storage/etcd3/compact.go). Without that write the revision of a store that nobody writes to
 * stays the same, and a continue token of that revision would never expire.
 */
public final class Compaction implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Compaction.class);

  /** Holds the revision of the last compaction; the key and the value of kube-apiserver. */
  private static final Bytes MARK = Bytes.utf8("compact_rev_key");

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

  /** One turn: moves the store's revision on and compacts to where the last turn moved it. */
  void compact() {
    long next = mark();
    if (before > 0) {
      try {
        store.compact(before);
        LOG.debugf("event=compacted rev=%d", before);
      } catch (StorageException.Compacted e) {
        LOG.debugf("event=compacted-elsewhere rev=%d", before);
      }
      onCompacted.accept(before);
    }
    before = next;
  }

  /** Writes the mark; returns a revision that is above that of every earlier read. */
  private long mark() {
    Entry mark = store.get(MARK, RevisionedStore.NEWEST).entry();
    long expected = mark == null ? Write.ABSENT : mark.modRevision();
    WriteOutcome outcome =
        store.write(Write.put(MARK, Bytes.utf8(Long.toString(before)), expected));
    return switch (outcome) {
      case WriteOutcome.Applied(long revision) -> revision;
      // another server has just moved the revision on
      case WriteOutcome.Conflict(Entry current) -> current.modRevision();
      case WriteOutcome.Missing(long revision) -> revision;
      case WriteOutcome.Guarded(long revision) ->
          throw new IllegalStateException("a write without a guard is guarded at " + revision);
    };
  }
}
