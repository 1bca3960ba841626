package dev.keelson.storage.etcd;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.KeyRevision;
import dev.keelson.storage.StorageException;
import io.etcd.jetcd.common.exception.CompactedException;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads every change of one key that etcd's log has, by a watch from the compacted revision on. The
 * log has been read when a change at or after the last wanted revision comes, or when etcd answers
 * that the watch has got there. Versions whose answer is not reliable are not asked: the log is
 * taken for read when the watch has been silent for a second.
 */
final class KeyScan {

  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often etcd is asked how far the watch has got. */
  private static final long ASK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final Connection connection;
  private final EtcdOptions options;
  private final ProgressPolicy progress;
  private final KeyRange key;
  private final long deadlineNanos;

  KeyScan(Connection connection, EtcdOptions options, ProgressPolicy progress, Bytes key) {
    this.connection = connection;
    this.options = options;
    this.progress = progress;
    this.key = KeyRange.single(key);
    deadlineNanos = System.nanoTime() + options.deadline().toNanos();
  }

  /**
   * The changes up to a revision, the oldest first.
   *
   * @throws StorageException.Unavailable if etcd has not delivered them within the deadline
   */
  List<KeyRevision> until(long last) {
    long first = 1;
    while (true) {
      WatchSession session = WatchSession.open(connection.link(), options, key, first);
      try {
        List<KeyRevision> changes = new ArrayList<>();
        Long compacted = read(session, last, changes);
        if (compacted == null) {
          return changes;
        }
        if (compacted > last) {
          return List.of();
        }
        // a compaction in between raises it again
        first = Math.max(compacted, first + 1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StorageException.Unavailable("interrupted while etcd worked", e);
      } finally {
        session.end(new WatchSession.End.Closed());
      }
    }
  }

  /** Returns null when all changes have been read, else the compacted revision. */
  private @Nullable Long read(WatchSession session, long last, List<KeyRevision> changes)
      throws InterruptedException {
    long heardNanos = System.nanoTime();
    while (System.nanoTime() - deadlineNanos < 0) {
      WatchResponse response = session.take(ASK_NANOS);
      WatchSession.End ended = session.ended();
      if (response != null) {
        heardNanos = System.nanoTime();
        if (isComplete(response, last, changes)) {
          return null;
        }
      } else if (ended != null) {
        return compactedBy(ended);
      } else if (session.created()) {
        progress.look(session.link());
        if (progress.sound()) {
          session.requestProgress();
        } else if (System.nanoTime() - heardNanos > SILENCE_NANOS) {
          return null;
        }
      }
    }
    throw new StorageException.Unavailable(
        "etcd did not deliver the history of a key in time", null);
  }

  private static boolean isComplete(WatchResponse response, long last, List<KeyRevision> changes) {
    for (WatchEvent event : response.getEvents()) {
      long revision = event.getKeyValue().getModRevision();
      if (revision > last) {
        return true;
      }
      boolean deleted = event.getEventType() == WatchEvent.EventType.DELETE;
      changes.add(new KeyRevision(revision, deleted ? 0 : event.getKeyValue().getCreateRevision()));
      if (revision == last) {
        return true;
      }
    }
    return response.getEvents().isEmpty()
        && !response.isCreatedNotify()
        && response.getHeader().getRevision() >= last;
  }

  private static long compactedBy(WatchSession.End end) {
    if (end instanceof WatchSession.End.Broken(CompactedException compacted)) {
      return compacted.getCompactedRevision();
    }
    throw new StorageException.Unavailable("etcd ended the watch of a key: " + end, null);
  }
}
