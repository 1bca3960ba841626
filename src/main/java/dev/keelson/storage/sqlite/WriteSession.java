package dev.keelson.storage.sqlite;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.Entry;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;

/**
 * The one connection that writes, and what the open transaction has changed so far. Used by the
 * writer's thread only.
 */
final class WriteSession implements AutoCloseable {

  /** What a key is at, in the open transaction. {@code created} is 0 for a deleted key. */
  private record Head(long revision, long created, long lease) {
    static final Head NONE = new Head(0, 0, 0);

    boolean exists() {
      return created != 0;
    }
  }

  private final Connection connection;
  private final Statement plain;

  /** Null after a failure: the driver gives a statement up that has failed. */
  private @Nullable Statements statements;

  private final List<Change> changes = new ArrayList<>();
  private State committed;
  private State state;

  /** The row of the table of the same name. */
  record State(long revision, long compacted, long purged) {}

  WriteSession(Connection connection) throws SQLException {
    this.connection = connection;
    plain = connection.createStatement();
    statements = new Statements(connection);
    committed = stored();
    state = committed;
  }

  /** What the transactions are made of. */
  private static final class Statements implements AutoCloseable {
    final PreparedStatement begin;
    final PreparedStatement commit;
    final PreparedStatement selectHead;
    final PreparedStatement selectValue;
    final PreparedStatement insertLog;
    final PreparedStatement upsertHead;
    final PreparedStatement updateState;
    final PreparedStatement selectLease;

    Statements(Connection connection) throws SQLException {
      begin = connection.prepareStatement("BEGIN IMMEDIATE");
      commit = connection.prepareStatement("COMMIT");
      selectHead =
          connection.prepareStatement("SELECT revision, created, lease FROM head WHERE key = ?");
      selectValue = connection.prepareStatement("SELECT value FROM log WHERE revision = ?");
      insertLog = connection.prepareStatement("INSERT INTO log VALUES (?, ?, ?, ?, ?)");
      upsertHead = connection.prepareStatement("INSERT OR REPLACE INTO head VALUES (?, ?, ?, ?)");
      updateState =
          connection.prepareStatement("UPDATE state SET revision = ?, compacted = ?, purged = ?");
      selectLease = connection.prepareStatement("SELECT 1 FROM lease WHERE id = ?");
    }

    @Override
    public void close() throws SQLException {
      try (begin;
          commit;
          selectHead;
          selectValue;
          insertLog;
          upsertHead;
          updateState) {
        selectLease.close();
      }
    }
  }

  private Statements statements() {
    if (statements == null) {
      throw new IllegalStateException("no transaction has begun since the last failure");
    }
    return statements;
  }

  private State stored() throws SQLException {
    try (ResultSet row = plain.executeQuery("SELECT revision, compacted, purged FROM state")) {
      if (!row.next()) {
        throw new SQLException("the file holds no revision");
      }
      return new State(row.getLong(1), row.getLong(2), row.getLong(3));
    }
  }

  /** As of the last commit. */
  State committed() {
    return committed;
  }

  void begin() throws SQLException {
    if (statements == null) {
      recover();
    }
    statements().begin.execute();
  }

  /** After a failure. */
  private void recover() throws SQLException {
    State found = stored();
    if (!found.equals(committed)) {
      throw new IllegalStateException(
          "the file is at %s after a failure, and should be at %s".formatted(found, committed));
    }
    statements = new Statements(connection);
  }

  /**
   * Commits everything since {@code begin}.
   *
   * @return its changes, in order; their revisions follow each other without a gap
   */
  List<Change> commit() throws SQLException {
    if (!state.equals(committed)) {
      statements().updateState.setLong(1, state.revision);
      statements().updateState.setLong(2, state.compacted);
      statements().updateState.setLong(3, state.purged);
      statements().updateState.executeUpdate();
    }
    try {
      statements().commit.execute();
    } catch (SQLException e) {
      throw new CommitFailed(e);
    }
    committed = state;
    List<Change> done = List.copyOf(changes);
    changes.clear();
    return done;
  }

  /** The commit itself failed, so that the outcome may be unknown; its cause says why. */
  static final class CommitFailed extends SQLException {
    private static final long serialVersionUID = 1L;
    private final SQLException reason;

    CommitFailed(SQLException reason) {
      super(reason);
      this.reason = reason;
    }

    SQLException reason() {
      return reason;
    }
  }

  /** Rolls back everything since {@code begin}. */
  void rollback(Throwable cause) {
    changes.clear();
    state = committed;
    StoreFile.closeAfter(cause, statements);
    statements = null;
    try {
      plain.execute("ROLLBACK");
    } catch (SQLException e) {
      // SQLite has rolled back by itself after some errors, and then says that there is nothing to
      // roll back; if the transaction is still open, the next BEGIN fails and brings us here again
      cause.addSuppressed(e);
    }
  }

  WriteOutcome write(Write write) throws SQLException {
    Head head = head(write.key());
    if (head.exists() && head.revision != write.expectedRevision()) {
      return new WriteOutcome.Conflict(entry(write.key(), head));
    }
    if (!head.exists() && write.expectedRevision() != Write.ABSENT) {
      return new WriteOutcome.Missing(state.revision);
    }
    return switch (write) {
      case Write.Put put -> {
        Write.Guard guard = put.guard();
        if (guard != null) {
          // a key that is gone may still have a head, for its history
          Head other = head(guard.key());
          long revision = other.exists() ? other.revision : Write.ABSENT;
          if (revision != guard.revision()) {
            yield new WriteOutcome.Guarded(revision);
          }
        }
        if (put.lease() != 0 && !leaseExists(put.lease())) {
          throw new StorageException.Unavailable("lease " + put.lease() + " has ended", null);
        }
        yield new WriteOutcome.Applied(put(put, head));
      }
      case Write.Delete delete ->
          head.exists()
              ? new WriteOutcome.Applied(delete(delete.key(), head))
              : new WriteOutcome.Missing(state.revision);
    };
  }

  private long put(Write.Put put, Head head) throws SQLException {
    Entry previous = head.exists() ? entry(put.key(), head) : null;
    long revision = state.revision + 1;
    long created = head.exists() ? head.created : revision;
    record(put.key(), new Head(revision, created, put.lease()), head.revision, put.value());
    changes.add(new Change.Put(new Entry(put.key(), put.value(), created, revision), previous));
    return revision;
  }

  private long delete(Bytes key, Head head) throws SQLException {
    Entry previous = entry(key, head);
    long revision = state.revision + 1;
    record(key, new Head(revision, 0, 0), head.revision, null);
    changes.add(new Change.Delete(key, revision, previous));
    return revision;
  }

  private void record(Bytes key, Head head, long previous, @Nullable Bytes value)
      throws SQLException {
    statements().insertLog.setLong(1, head.revision);
    statements().insertLog.setLong(2, previous);
    statements().insertLog.setLong(3, head.created);
    Row.set(statements().insertLog, 4, key);
    statements().insertLog.setBytes(5, value == null ? null : value.array());
    statements().insertLog.executeUpdate();
    Row.set(statements().upsertHead, 1, key);
    statements().upsertHead.setLong(2, head.revision);
    statements().upsertHead.setLong(3, head.created);
    statements().upsertHead.setLong(4, head.lease);
    statements().upsertHead.executeUpdate();
    state = new State(head.revision, state.compacted, state.purged);
  }

  private Head head(Bytes key) throws SQLException {
    Row.set(statements().selectHead, 1, key);
    try (ResultSet row = statements().selectHead.executeQuery()) {
      return row.next() ? new Head(row.getLong(1), row.getLong(2), row.getLong(3)) : Head.NONE;
    }
  }

  private Entry entry(Bytes key, Head head) throws SQLException {
    statements().selectValue.setLong(1, head.revision);
    try (ResultSet row = statements().selectValue.executeQuery()) {
      if (!row.next()) {
        throw new SQLException(
            "the log misses revision " + head.revision + ", the newest of a key");
      }
      return new Entry(key, Row.bytes(row, 1), head.created, head.revision);
    }
  }

  private boolean leaseExists(long lease) throws SQLException {
    statements().selectLease.setLong(1, lease);
    try (ResultSet row = statements().selectLease.executeQuery()) {
      return row.next();
    }
  }

  /** Makes a lease that ends at {@code expiresMillis} since 1970. */
  long grantLease(long expiresMillis) throws SQLException {
    plain.executeUpdate("INSERT INTO lease (expires) VALUES (" + expiresMillis + ")");
    try (ResultSet row = plain.executeQuery("SELECT last_insert_rowid()")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** When the next lease ends, in milliseconds since 1970; {@code Long.MAX_VALUE} if none will. */
  long nextExpiryMillis() throws SQLException {
    try (ResultSet row = plain.executeQuery("SELECT min(expires) FROM lease")) {
      long expires = row.next() ? row.getLong(1) : 0;
      return expires == 0 ? Long.MAX_VALUE : expires;
    }
  }

  /** Deletes up to {@code most} keys of leases that have ended by then, and the emptied leases. */
  void expireLeases(long nowMillis, int most) throws SQLException {
    List<Bytes> keys = new ArrayList<>();
    try (ResultSet row =
        plain.executeQuery(
            "SELECT h.key FROM lease l CROSS JOIN head h ON h.lease = l.id AND h.lease <> 0"
                + " WHERE l.expires <= %d LIMIT %d".formatted(nowMillis, most))) {
      while (row.next()) {
        keys.add(Row.bytes(row, 1));
      }
    }
    for (Bytes key : keys) {
      delete(key, head(key));
    }
    if (keys.size() < most) {
      plain.executeUpdate("DELETE FROM lease WHERE expires <= " + nowMillis);
    }
  }

  /** Rejects reads before {@code revision} from now on. */
  void compact(long revision) {
    if (revision > state.revision) {
      throw new StorageException.FutureRevision(state.revision);
    }
    if (revision <= state.compacted) {
      throw new StorageException.Compacted(state.compacted);
    }
    state = new State(state.revision, revision, state.purged);
  }

  /** Whether there is history below the compacted revision. */
  boolean hasGarbage() {
    return state.purged < state.compacted;
  }

  /**
   * Removes what the next {@code most} revisions up to the compacted one have made unreadable: the
   * change that each of them replaced, and themselves if they are deletions.
   */
  void purge(int most) throws SQLException {
    long from = state.purged;
    long to = Math.min(state.compacted, from + most);
    plain.executeUpdate(
        "DELETE FROM log WHERE revision IN (SELECT previous FROM log WHERE revision > %d AND"
                .formatted(from)
            + " revision <= %d AND previous <> 0)".formatted(to));
    plain.executeUpdate(
        "DELETE FROM head WHERE key IN (SELECT key FROM log WHERE revision > %d AND".formatted(from)
            + " revision <= %d AND created = 0) AND created = 0 AND revision <= %d"
                .formatted(to, to));
    plain.executeUpdate(
        "DELETE FROM log WHERE revision > %d AND revision <= %d AND created = 0"
            .formatted(from, to));
    state = new State(state.revision, state.compacted, to);
  }

  /** Pages of the file that hold nothing, and all pages. */
  record Space(long free, long all) {}

  Space space() throws SQLException {
    return new Space(number("PRAGMA freelist_count"), number("PRAGMA page_count"));
  }

  /** Gives up to {@code pages} free pages back to the file system. */
  void shrink(long pages) throws SQLException {
    // one step of this statement gives one page back; an update is the way of the driver to run all
    // steps of a statement that has no columns
    plain.executeUpdate("PRAGMA incremental_vacuum(" + pages + ")");
  }

  /**
   * Moves the whole write-ahead log into the file and cuts it.
   *
   * @param patienceMillis how long to wait for readers that are in the way
   * @return whether it was done
   */
  boolean truncateWal(int patienceMillis) throws SQLException {
    int usual = connection.unwrap(SQLiteConnection.class).getBusyTimeout();
    plain.execute("PRAGMA busy_timeout = " + patienceMillis);
    try (ResultSet row = plain.executeQuery("PRAGMA wal_checkpoint(TRUNCATE)")) {
      // the first column says whether someone was in the way
      return row.next() && row.getInt(1) == 0;
    } finally {
      plain.execute("PRAGMA busy_timeout = " + usual);
    }
  }

  private long number(String sql) throws SQLException {
    try (ResultSet row = plain.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
