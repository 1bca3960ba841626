package dev.keelson.storage.sqlite;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed.Batch;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.KeyRevision;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One connection that reads; used by one thread at a time. Every method sees one snapshot. */
final class ReadSession implements AutoCloseable {

  // A key's entry at revision R is found from its newest change, which `head` names, by following
  // log.previous until a change is not newer than R. There is no index by key and revision: it
  // would cost every write a third tree, and reads at an old revision are few and mostly want keys
  // that have changed seldom since.

  /** A page ends when it holds this many bytes. */
  private static final long PAGE_BYTES = 4L << 20;

  /** Revisions that one read of the log for a feed covers. */
  private static final int LOG_REVISIONS = 4096;

  private static final long LOG_BYTES = 4L << 20;

  private final Connection connection;
  private final PreparedStatement begin;
  private final PreparedStatement end;
  private final PreparedStatement selectState;
  private final PreparedStatement selectNewest;
  private final PreparedStatement selectPage;
  private final PreparedStatement selectOpenPage;
  private final PreparedStatement countUnchanged;
  private final PreparedStatement countOpenUnchanged;
  private final PreparedStatement selectChanged;
  private final PreparedStatement selectOpenChanged;
  private final PreparedStatement selectLog;
  private final PreparedStatement selectChanges;
  private final KeyLog keyLog;
  private long deadlineNanos;

  ReadSession(Connection connection) throws SQLException {
    this.connection = connection;
    begin = connection.prepareStatement("BEGIN");
    end = connection.prepareStatement("COMMIT");
    selectState = connection.prepareStatement("SELECT revision, compacted FROM state");
    selectNewest =
        connection.prepareStatement(
            """
            SELECT s.revision, s.compacted, h.revision, h.created, l.value, l.previous
            FROM state s LEFT JOIN head h ON h.key = ? LEFT JOIN log l ON l.revision = h.revision\
            """);
    String page =
        """
        SELECT h.key, h.revision, h.created, l.value, l.previous
        FROM head h CROSS JOIN log l ON l.revision = h.revision WHERE h.key >= ?\
        """;
    selectPage = connection.prepareStatement(page + " AND h.key < ? ORDER BY h.key");
    selectOpenPage = connection.prepareStatement(page + " ORDER BY h.key");
    // statements of their own for ranges without an upper end: in one with both cases SQLite would
    // look at every key up to the end of the table
    String unchanged =
        "SELECT count(*) FROM head WHERE revision <= ?1 AND created <> 0 AND key >= ?2";
    countUnchanged = connection.prepareStatement(unchanged + " AND key < ?3");
    countOpenUnchanged = connection.prepareStatement(unchanged);
    String changed = "SELECT revision FROM head WHERE revision > ?1 AND key >= ?2";
    selectChanged = connection.prepareStatement(changed + " AND key < ?3");
    selectOpenChanged = connection.prepareStatement(changed);
    keyLog = new KeyLog(connection);
    selectLog =
        connection.prepareStatement("SELECT previous, created, value FROM log WHERE revision = ?");
    selectChanges =
        connection.prepareStatement(
            """
            SELECT l.revision, l.created, l.key, l.value, p.revision, p.created, p.value
            FROM log l LEFT JOIN log p ON p.revision = l.previous AND p.created <> 0
            WHERE l.revision > ?1 AND l.revision <= ?2
              AND l.key >= ?3 AND (l.key < ?4 OR length(?4) = 0)
            ORDER BY l.revision\
            """);
  }

  /** Sets when the next read must have ended, by {@link System#nanoTime}. */
  void deadline(long nanos) {
    deadlineNanos = nanos;
  }

  private void checkDeadline() {
    if (System.nanoTime() - deadlineNanos > 0) {
      throw new StorageException.Unavailable("the read took longer than the deadline", null);
    }
  }

  /** What the snapshot holds. */
  private record State(long revision, long compacted) {
    long at(long atRevision) {
      if (atRevision == RevisionedStore.NEWEST) {
        return revision;
      }
      if (atRevision > revision) {
        throw new StorageException.FutureRevision(revision);
      }
      if (atRevision < compacted) {
        throw new StorageException.Compacted(compacted);
      }
      return atRevision;
    }
  }

  private State state() throws SQLException {
    try (ResultSet row = selectState.executeQuery()) {
      row.next();
      return new State(row.getLong(1), row.getLong(2));
    }
  }

  Read get(Bytes key, long atRevision) throws SQLException {
    return atRevision == RevisionedStore.NEWEST
        ? newest(key)
        : inSnapshot(() -> new Read(entryAt(key, atRevision), state().revision));
  }

  /** Uses one statement, which is a snapshot by itself. */
  private Read newest(Bytes key) throws SQLException {
    Row.set(selectNewest, 1, key);
    try (ResultSet row = selectNewest.executeQuery()) {
      row.next();
      long created = row.getLong(4);
      Entry entry =
          created == 0 ? null : new Entry(key, Row.bytes(row, 5), created, row.getLong(3));
      return new Read(entry, row.getLong(1));
    }
  }

  private @Nullable Entry entryAt(Bytes key, long atRevision) throws SQLException {
    Row.set(selectNewest, 1, key);
    long revision;
    long at;
    try (ResultSet row = selectNewest.executeQuery()) {
      row.next();
      at = new State(row.getLong(1), row.getLong(2)).at(atRevision);
      revision = row.getLong(3);
    }
    if (revision == 0) {
      return null;
    }
    // most reads at an old revision are at one of the key's own
    Entry exact = keyLog.changedAt(key, at);
    return exact == null ? follow(key, revision, at) : exact;
  }

  List<KeyRevision> history(Bytes key, long atRevision, int limit) throws SQLException {
    return inSnapshot(
        () -> {
          State state = state();
          long at = state.at(atRevision);
          return keyLog.changes(key, at, state.compacted, limit, this::checkDeadline);
        });
  }

  /** The entry at {@code at}, found from a change of the key that may be newer. */
  private @Nullable Entry follow(Bytes key, long change, long at) throws SQLException {
    long revision = change;
    while (true) {
      selectLog.setLong(1, revision);
      try (ResultSet row = selectLog.executeQuery()) {
        if (!row.next()) {
          // compacted, which a readable revision only meets before a key's deletion
          return null;
        }
        if (revision <= at) {
          long created = row.getLong(2);
          return created == 0 ? null : new Entry(key, Row.bytes(row, 3), created, revision);
        }
        revision = row.getLong(1);
      }
      checkDeadline();
    }
  }

  Page range(KeyRange range, long atRevision, int limit) throws SQLException {
    return inSnapshot(
        () -> {
          State state = state();
          long at = state.at(atRevision);
          List<Entry> entries = new ArrayList<>(Math.min(limit, 512));
          boolean cut = page(range, at, limit, entries);
          if (!cut) {
            return new Page(entries, false, entries.size(), at);
          }
          KeyRange rest = range.startingAfter(entries.getLast().key());
          long count = entries.size() + count(rest, at);
          if (at < state.revision) {
            count += countChanged(rest, at);
          }
          return new Page(entries, count > entries.size(), count, at);
        });
  }

  /** Collects entries; returns whether it stopped before the end of the range. */
  private boolean page(KeyRange range, long at, int limit, List<Entry> entries)
      throws SQLException {
    PreparedStatement select = range.end().isEmpty() ? selectOpenPage : selectPage;
    Row.set(select, 1, range.start());
    if (!range.end().isEmpty()) {
      Row.set(select, 2, range.end());
    }
    long bytes = 0;
    try (ResultSet row = select.executeQuery()) {
      while (row.next()) {
        checkDeadline();
        Entry entry = entryOf(row, at);
        if (entry != null) {
          entries.add(entry);
          bytes += entry.value().length();
          if (entries.size() >= limit || bytes >= PAGE_BYTES) {
            return true;
          }
        }
      }
    }
    return false;
  }

  private @Nullable Entry entryOf(ResultSet row, long at) throws SQLException {
    long revision = row.getLong(2);
    if (revision > at) {
      long previous = row.getLong(5);
      return previous == 0 ? null : follow(Row.bytes(row, 1), previous, at);
    }
    long created = row.getLong(3);
    return created == 0 ? null : new Entry(Row.bytes(row, 1), Row.bytes(row, 4), created, revision);
  }

  /** The keys that exist at {@code at} and have not changed since. */
  private long count(KeyRange range, long at) throws SQLException {
    try (ResultSet row = inRange(countUnchanged, countOpenUnchanged, range, at).executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }

  /** The keys that exist at {@code at} and have changed since. */
  private long countChanged(KeyRange range, long at) throws SQLException {
    long count = 0;
    try (ResultSet row = inRange(selectChanged, selectOpenChanged, range, at).executeQuery()) {
      while (row.next()) {
        if (follow(Bytes.EMPTY, row.getLong(1), at) != null) {
          count++;
        }
      }
    }
    return count;
  }

  private static PreparedStatement inRange(
      PreparedStatement bounded, PreparedStatement open, KeyRange range, long at)
      throws SQLException {
    PreparedStatement statement = range.end().isEmpty() ? open : bounded;
    statement.setLong(1, at);
    Row.set(statement, 2, range.start());
    if (!range.end().isEmpty()) {
      Row.set(statement, 3, range.end());
    }
    return statement;
  }

  /**
   * The next changes of {@code range} after {@code after}, from the log. The batch may be empty and
   * only tell how far it has looked.
   */
  Batch changes(KeyRange range, long after) throws SQLException {
    return inSnapshot(
        () -> {
          State state = state();
          if (after < state.compacted) {
            throw new StorageException.Compacted(state.compacted);
          }
          long until = Math.min(state.revision, after + LOG_REVISIONS);
          return changes(range, after, until);
        });
  }

  private Batch changes(KeyRange range, long after, long until) throws SQLException {
    List<Change> changes = new ArrayList<>();
    selectChanges.setLong(1, after);
    selectChanges.setLong(2, until);
    Row.set(selectChanges, 3, range.start());
    Row.set(selectChanges, 4, range.end());
    long bytes = 0;
    try (ResultSet row = selectChanges.executeQuery()) {
      while (row.next()) {
        checkDeadline();
        Change change = change(row);
        changes.add(change);
        bytes += change.key().length();
        bytes += change instanceof Change.Put put ? put.entry().value().length() : 0;
        if (bytes >= LOG_BYTES) {
          return new Batch(changes, change.revision());
        }
      }
    }
    return new Batch(changes, until);
  }

  private static Change change(ResultSet row) throws SQLException {
    long revision = row.getLong(1);
    long created = row.getLong(2);
    Bytes key = Row.bytes(row, 3);
    long previousCreated = row.getLong(6);
    Entry previous =
        previousCreated == 0
            ? null
            : new Entry(key, Row.bytes(row, 7), previousCreated, row.getLong(5));
    return created == 0
        ? new Change.Delete(key, revision, previous)
        : new Change.Put(new Entry(key, Row.bytes(row, 4), created, revision), previous);
  }

  private interface Body<T> {
    T run() throws SQLException;
  }

  private <T> T inSnapshot(Body<T> body) throws SQLException {
    begin.execute();
    try {
      return body.run();
    } finally {
      end.execute();
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
