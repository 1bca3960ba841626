package dev.keelson.storage.sqlite;

import dev.keelson.sqlite.DriverLibrary;
import dev.keelson.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Looks for damage in the file of a store: of SQLite's own structures, and of our tables. */
public final class SqliteCheck {

  private static final int MOST = 100;

  /** What must count zero, by what it would mean. */
  private static final Map<String, String> RULES = rules();

  private SqliteCheck() {}

  private static Map<String, String> rules() {
    Map<String, String> rules = new LinkedHashMap<>();
    rules.put(
        "keys whose newest value is missing",
        "SELECT count(*) FROM head h LEFT JOIN log l ON l.revision = h.revision AND l.key = h.key"
            + " WHERE l.revision IS NULL");
    rules.put(
        "changes above the newest revision",
        "SELECT count(*) FROM log WHERE revision > (SELECT revision FROM state)");
    rules.put(
        "changes of keys that have no newest change",
        "SELECT count(*) FROM log l LEFT JOIN head h ON h.key = l.key WHERE h.key IS NULL");
    rules.put(
        "keys of leases that do not exist",
        "SELECT count(*) FROM head h LEFT JOIN lease e ON e.id = h.lease"
            + " WHERE h.lease <> 0 AND h.created <> 0 AND e.id IS NULL");
    rules.put(
        "revisions out of order",
        "SELECT count(*) FROM state WHERE purged > compacted OR compacted > revision");
    return rules;
  }

  /**
   * What is wrong with the file, one line each, at most some hundred; empty if nothing is. The file
   * may be in use.
   *
   * @throws StorageException.Unavailable if there is no such file, it is no store, or it was
   *     written by a newer program
   */
  public static List<String> problems(Path file) {
    SqliteSnapshot.checkRegular(file);
    try {
      DriverLibrary.placeFor(file);
    } catch (IOException e) {
      throw new StorageException.Unavailable("cannot read " + file + ": " + e, e);
    }
    List<String> found = new ArrayList<>();
    try (Connection connection = SqliteSnapshot.reader(file);
        Statement plain = connection.createStatement()) {
      if (StoreFile.check(plain, file)) {
        throw new StorageException.Unavailable(file + " is empty", null);
      }
      find(plain, found);
    } catch (SQLException e) {
      found.add(String.valueOf(Failures.unavailable(file.toString(), e).getMessage()));
    }
    return found;
  }

  private static void find(Statement plain, List<String> found) throws SQLException {
    try (ResultSet rows = plain.executeQuery("PRAGMA integrity_check(" + MOST + ")")) {
      while (rows.next()) {
        String line = rows.getString(1);
        if (!line.equals("ok")) {
          found.add(line);
        }
      }
    }
    plain.execute("BEGIN");
    for (Map.Entry<String, String> rule : RULES.entrySet()) {
      long count = StoreFile.number(plain, rule.getValue());
      if (count > 0) {
        found.add(count + " " + rule.getKey());
      }
    }
    plain.execute("COMMIT");
  }
}
