package dev.keelson.storage.sqlite;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRevision;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the changes of one key from the log, by the chain of {@code log.previous}. Used by one
 * thread at a time, inside of a snapshot.
 */
final class KeyLog {

  private final PreparedStatement selectHead;
  private final PreparedStatement selectStep;
  private final PreparedStatement selectChange;

  KeyLog(Connection connection) throws SQLException {
    selectHead = connection.prepareStatement("SELECT revision FROM head WHERE key = ?");
    selectStep =
        connection.prepareStatement("SELECT previous, created FROM log WHERE revision = ?");
    selectChange =
        connection.prepareStatement(
            "SELECT created, value FROM log WHERE revision = ? AND key = ?");
  }

  /**
   * The entry that a change at exactly {@code revision} made. Null if another key changed then, or
   * if the change was a deletion: the chain from the key's newest change decides those.
   */
  @Nullable Entry changedAt(Bytes key, long revision) throws SQLException {
    selectChange.setLong(1, revision);
    Row.set(selectChange, 2, key);
    try (ResultSet row = selectChange.executeQuery()) {
      return row.next() && row.getLong(1) != 0
          ? new Entry(key, Row.bytes(row, 2), row.getLong(1), revision)
          : null;
    }
  }

  /**
   * The changes of a key, the newest first.
   *
   * @param at newer changes are left out
   * @param compacted the state at this revision is the oldest that can be read: the change that
   *     made it is the last, unless it is a deletion
   * @param limit the most changes
   * @param eachStep runs between two changes; may throw to end the walk
   */
  List<KeyRevision> changes(Bytes key, long at, long compacted, int limit, Runnable eachStep)
      throws SQLException {
    List<KeyRevision> found = new ArrayList<>();
    long revision = newest(key);
    while (revision != 0 && found.size() < limit) {
      eachStep.run();
      selectStep.setLong(1, revision);
      try (ResultSet row = selectStep.executeQuery()) {
        if (!row.next()) {
          break; // purged
        }
        KeyRevision change = new KeyRevision(revision, row.getLong(2));
        boolean readable = revision > compacted;
        if (revision <= at && (readable || !change.isDeletion())) {
          found.add(change);
        }
        revision = readable ? row.getLong(1) : 0;
      }
    }
    return found;
  }

  private long newest(Bytes key) throws SQLException {
    Row.set(selectHead, 1, key);
    try (ResultSet row = selectHead.executeQuery()) {
      return row.next() ? row.getLong(1) : 0;
    }
  }
}
