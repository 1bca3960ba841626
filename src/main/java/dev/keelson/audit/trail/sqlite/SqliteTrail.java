package dev.keelson.audit.trail.sqlite;

import dev.keelson.audit.trail.TrailCondition;
import dev.keelson.audit.trail.TrailEvent;
import dev.keelson.audit.trail.TrailException;
import dev.keelson.audit.trail.TrailField;
import dev.keelson.audit.trail.TrailId;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/**
 * The trail in one SQLite file. Several servers of one machine may share it: SQLite lets one of
 * them write at a time.
 */
public final class SqliteTrail implements TrailStore {

  /*
   * One connection writes, under the lock. Each search has a connection of its own, so that it
   * neither waits for writes nor lets them wait: in the write-ahead log readers see the last commit.
   * Positions are row ids. AUTOINCREMENT never gives one a second time, and one transaction writes
   * at a time, so that they rise in the order of commits.
   */

  private static final String COLUMNS =
      Arrays.stream(TrailField.values()).map(TrailField::column).collect(Collectors.joining(", "));

  private static final String INSERT =
      "INSERT INTO audit_event (id, text, json, "
          + COLUMNS
          + ") VALUES (?, ?, ?, "
          + String.join(", ", Collections.nCopies(TrailField.values().length, "?"))
          + ") ON CONFLICT (id) DO NOTHING";

  private static final int FIRST_FIELD = 4;

  private static final String ENTRY = "SELECT id, seq, json FROM audit_event";

  /** So many events are removed in a transaction. */
  private static final int REMOVED_AT_ONCE = 5000;

  private final TrailFile file;
  private final TrailReader reader;

  /** Guards the connection of the writer. */
  private final ReentrantLock lock = new ReentrantLock();

  private @Nullable Connection writer;

  private SqliteTrail(TrailFile file, Connection writer) {
    this.file = file;
    this.reader = new TrailReader(file);
    this.writer = writer;
  }

  /**
   * Opens the file, which is made if it is missing, and brings its tables up to date.
   *
   * @param timeout how long a call waits for another process that writes
   */
  public static SqliteTrail open(Path path, Duration timeout) throws TrailException {
    TrailFile file = new TrailFile(path, timeout);
    try {
      return new SqliteTrail(file, file.openForWrites());
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public void append(List<TrailEvent> events) throws TrailException {
    write(
        connection -> {
          try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            for (TrailEvent event : events) {
              insert.setString(1, event.id());
              insert.setString(2, event.text());
              insert.setBytes(3, event.json());
              for (int i = 0; i < event.columns().size(); i++) {
                insert.setString(FIRST_FIELD + i, event.columns().get(i));
              }
              insert.addBatch();
            }
            int[] unused = insert.executeBatch();
          }
          return events.size();
        });
  }

  /** Work on the connection of the writer, or on that of a reader. */
  @FunctionalInterface
  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private int write(Work<Integer> work) throws TrailException {
    lock.lock();
    try {
      Connection connection = writer;
      if (connection == null) {
        throw new TrailException.Unavailable("the trail is closed", null);
      }
      try {
        TrailFile.execute(connection, TrailFile.BEGIN);
        int done = work.on(connection);
        TrailFile.execute(connection, TrailFile.COMMIT);
        return done;
      } catch (SQLException e) {
        rollBack(connection, e);
        throw failure(e);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Ends a transaction that has begun; SQLite has ended it already after some failures. */
  private static void rollBack(Connection connection, SQLException cause) {
    try {
      TrailFile.execute(connection, TrailFile.ROLLBACK);
    } catch (SQLException e) {
      cause.addSuppressed(e);
    }
  }

  private <T> T read(Work<T> work) throws TrailException {
    lock.lock();
    try {
      if (writer == null) {
        throw new TrailException.Unavailable("the trail is closed", null);
      }
    } finally {
      lock.unlock();
    }
    try {
      return reader.read(work::on);
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  @Override
  public List<Entry> search(TrailQuery query, String before, int limit) throws TrailException {
    TrailCondition condition = condition(query).before(before);
    return read(connection -> entries(connection, condition, " ORDER BY id DESC LIMIT " + limit));
  }

  private static TrailCondition condition(TrailQuery query) {
    return new TrailCondition(query, "instr", number -> "?");
  }

  private static List<Entry> entries(Connection connection, TrailCondition condition, String rest)
      throws SQLException {
    List<Entry> entries = new ArrayList<>();
    try (PreparedStatement select =
        connection.prepareStatement(ENTRY + " WHERE " + condition.sql() + rest)) {
      List<String> parameters = condition.parameters();
      for (int i = 0; i < parameters.size(); i++) {
        select.setString(i + 1, parameters.get(i));
      }
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          entries.add(new Entry(rows.getString(1), rows.getLong(2), rows.getBytes(3)));
        }
      }
    }
    return entries;
  }

  @Override
  public Optional<Entry> find(String id) throws TrailException {
    List<Entry> found =
        read(
            connection -> {
              try (PreparedStatement select =
                  connection.prepareStatement(ENTRY + " WHERE id = ?")) {
                select.setString(1, id);
                try (ResultSet rows = select.executeQuery()) {
                  return rows.next()
                      ? List.of(new Entry(rows.getString(1), rows.getLong(2), rows.getBytes(3)))
                      : List.<Entry>of();
                }
              }
            });
    return found.stream().findFirst();
  }

  @Override
  public Tail tail(TrailQuery query, long after, int limit) throws TrailException {
    return read(
        connection -> {
          long newest = bounds(connection).newest();
          if (newest <= after) {
            return new Tail(List.of(), after);
          }
          String rest =
              " AND seq > %d AND seq <= %d ORDER BY seq LIMIT %d".formatted(after, newest, limit);
          List<Entry> entries = entries(connection, condition(query), rest);
          return new Tail(entries, entries.size() < limit ? newest : entries.getLast().position());
        });
  }

  @Override
  public Bounds bounds() throws TrailException {
    return read(SqliteTrail::bounds);
  }

  private static Bounds bounds(Connection connection) throws SQLException {
    // two selects, since SQLite uses the index for one of min and max only
    return new Bounds(
        number(connection, "SELECT coalesce(min(seq), 0) FROM audit_event"),
        number(connection, "SELECT coalesce(max(seq), 0) FROM audit_event"));
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getLong(1) : 0;
    }
  }

  @Override
  public void removeBefore(Instant time) throws TrailException {
    String day = TrailId.from(time.truncatedTo(ChronoUnit.DAYS));
    int removed;
    do {
      removed =
          write(
              connection -> {
                try (PreparedStatement delete =
                    connection.prepareStatement(
                        "DELETE FROM audit_event WHERE seq IN (SELECT seq FROM audit_event"
                            + " WHERE id < ? ORDER BY id LIMIT "
                            + REMOVED_AT_ONCE
                            + ")")) {
                  delete.setString(1, day);
                  return delete.executeUpdate();
                }
              });
    } while (removed == REMOVED_AT_ONCE);
  }

  private static TrailException failure(SQLException e) {
    String message = "the trail's file: " + e.getMessage();
    int code = e.getErrorCode() & 0xff;
    boolean rejected =
        code == SQLiteErrorCode.SQLITE_TOOBIG.code
            || code == SQLiteErrorCode.SQLITE_CONSTRAINT.code
            || code == SQLiteErrorCode.SQLITE_MISMATCH.code;
    return rejected
        ? new TrailException.Rejected(message, e)
        : new TrailException.Unavailable(message, e);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      Connection open = writer;
      writer = null;
      if (open != null) {
        file.close(open);
        reader.close();
      }
    } finally {
      lock.unlock();
    }
  }
}
