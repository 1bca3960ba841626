package dev.keelson.storage.etcd;

import dev.keelson.storage.KeyRevision;
import dev.keelson.storage.StorageException;
import io.etcd.jetcd.KeyValue;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the changes of one key in etcd's history, the newest first. */
final class KeyWalk {

  /*
   * A key that exists names the revision of its last change, so that the state before it is one
   * read at the revision below: one read for each change, without its value. The reads end where
   * the key was created, or at the compacted revision.
   *
   * Whether the key existed before that, and where it was deleted, no read tells. etcd's log does:
   * a watch of the key from the compacted revision on delivers every change that is left. It costs
   * etcd a pass over that part of its log, so that it is only done for a key that does not exist,
   * or that was created within the history.
   */

  /** Reads the key without its value at a revision. */
  @FunctionalInterface
  interface Reader {

    /**
     * Returns the key's state; null if it does not exist then.
     *
     * @throws StorageException.Compacted if the revision is no longer kept
     */
    @Nullable KeyValue at(long revision);
  }

  /** Reads the log of the key. */
  @FunctionalInterface
  interface Log {

    /** Returns every change of the key that is kept, up to a revision, the oldest first. */
    List<KeyRevision> until(long revision);
  }

  private final Reader reader;
  private final Log log;
  private final int limit;
  private final List<KeyRevision> found = new ArrayList<>();

  KeyWalk(Reader reader, Log log, int limit) {
    this.reader = reader;
    this.log = log;
    this.limit = limit;
  }

  /**
   * The changes at or before a revision.
   *
   * @throws StorageException.Compacted if the revision is no longer kept
   */
  List<KeyRevision> from(long newest) {
    KeyValue state = reader.at(newest);
    long oldest = newest;
    while (state != null) {
      oldest = state.getModRevision();
      found.add(new KeyRevision(oldest, state.getCreateRevision()));
      if (found.size() == limit) {
        return found;
      }
      try {
        state = reader.at(oldest - 1);
      } catch (StorageException.Compacted e) {
        return found; // the end of what is kept
      }
    }
    addBefore(oldest);
    return found;
  }

  /** Asks the log up to a change that it has, where one is known: its end is then certain. */
  private void addBefore(long oldest) {
    for (KeyRevision change : log.until(oldest).reversed()) {
      if (found.size() == limit) {
        return;
      }
      if (found.isEmpty() || change.revision() < found.getLast().revision()) {
        found.add(change);
      }
    }
  }
}
