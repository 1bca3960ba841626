package dev.keelson.server.store;

import dev.keelson.controller.ControllerLoop;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRevision;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;
import org.jboss.logging.Logger;

/**
 * Compacts the store at regular intervals, each time to the revision it had one interval before, so
 * that at least one interval of history remains and nothing older than two. With a longer history
 * it compacts to the revision of as many intervals before as that needs. Several servers may
 * compact one store; the later one finds nothing to do, so that the shortest history applies.
 *
 * <p>The revisions of the intervals before are in memory. A server that has its store for itself
 * reads them from the history of {@code compact_rev_key} when it starts; others begin anew, and
 * then keep more than asked, never less.
 *
 * <p>Each turn writes the key {@code compact_rev_key}, as kube-apiserver does (apiserver
 * pkg/storage/etcd3/compact.go). Without that write the revision of a store that nobody writes to
 * stays the same, and a continue token of that revision would never expire.
 */
public final class Compaction implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Compaction.class);

  /** Holds the revision of the last compaction; the key and the value of kube-apiserver. */
  private static final Bytes MARK = Bytes.utf8("compact_rev_key");

  /** The most intervals of a history. */
  public static final int MOST_INTERVALS = 100_000;

  /**
   * How much history remains.
   *
   * @param interval the time between two compactions; zero disables them
   * @param history the time within which every change is kept; below the interval it has no effect
   * @param exclusive whether no other process compacts the store
   */
  public record Window(Duration interval, Duration history, boolean exclusive) {

    public Window {
      if (history.compareTo(interval.multipliedBy(MOST_INTERVALS)) > 0 && !interval.isZero()) {
        throw new IllegalArgumentException(
            "a history of %s has more than %d intervals of %s"
                .formatted(history, MOST_INTERVALS, interval));
      }
    }

    /** The intervals that the history needs, rounded up; at least 1. */
    int intervals() {
      return interval.isZero()
          ? 1
          : (int) Math.max(1, -Math.floorDiv(-history.toNanos(), interval.toNanos()));
    }
  }

  private final RevisionedStore store;
  private final Window window;
  private final LongConsumer onCompacted;
  private final ControllerLoop loop;

  /** The revisions of the last turns, the oldest first; used by the loop alone. */
  private final Deque<Long> marks = new ArrayDeque<>();

  private boolean resumed;

  /**
   * Not yet running.
   *
   * @param onCompacted takes the revision that the store was compacted to
   */
  public Compaction(RevisionedStore store, Window window, LongConsumer onCompacted) {
    this.store = store;
    this.window = window;
    this.onCompacted = onCompacted;
    this.loop = ControllerLoop.every("compaction", window.interval(), this::compact);
  }

  /** Starts, unless the interval is zero. */
  public void start() {
    if (!window.interval().isZero()) {
      loop.start();
    }
  }

  @Override
  public void close() {
    loop.close();
  }

  /** One turn: moves the store's revision on and compacts to where the last turn moved it. */
  void compact() {
    resume();
    long before = marks.size() < window.intervals() ? 0 : marks.getFirst();
    long next = mark(before);
    if (before > 0) {
      try {
        store.compact(before);
        LOG.debugf("event=compacted rev=%d", before);
      } catch (StorageException.Compacted e) {
        LOG.debugf("event=compacted-elsewhere rev=%d", before);
      } catch (StorageException.FutureRevision e) {
        // the store was restored from a backup: its revisions before that mean nothing
        LOG.warnf("event=compaction-restarts rev=%d reason=%s", before, e.getMessage());
        marks.clear();
        marks.addLast(next);
        return;
      }
      onCompacted.accept(before);
      marks.removeFirst();
    }
    marks.addLast(next);
  }

  /** Takes over the turns of the process before. One interval is not worth the read. */
  private void resume() {
    if (!resumed && window.exclusive() && window.intervals() > 1) {
      for (KeyRevision turn : store.history(MARK, RevisionedStore.NEWEST, window.intervals())) {
        marks.addFirst(turn.revision());
      }
    }
    resumed = true;
  }

  /**
   * Writes the mark; returns a revision that is above that of every earlier read.
   *
   * @param before the revision to which the store is compacted now; 0 for none
   */
  private long mark(long before) {
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
