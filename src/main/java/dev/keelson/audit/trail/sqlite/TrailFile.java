package dev.keelson.audit.trail.sqlite;

import dev.keelson.audit.trail.TrailField;
import dev.keelson.sqlite.DriverLibrary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** The trail's database file: makes it, brings its tables up to date, and opens connections. */
final class TrailFile {

  private static final Logger LOG = Logger.getLogger(TrailFile.class);

  /** Marks the file as a trail; "KAUD". */
  private static final int APPLICATION_ID = 0x4b415544;

  /**
   * Transactions are begun by statements, since the driver's own begin with the end of the one
   * before and would hold the file between writes.
   */
  static final String BEGIN = "BEGIN IMMEDIATE";

  static final String COMMIT = "COMMIT";
  static final String ROLLBACK = "ROLLBACK";

  private static final int CACHE_KIB = 8 * 1024;

  /** The steps from each version of the tables to the next; an element is never changed. */
  private static final List<List<String>> VERSIONS = List.of(first());

  private final Path path;
  private final Duration timeout;

  TrailFile(Path path, Duration timeout) {
    this.path = path.toAbsolutePath();
    this.timeout = timeout;
  }

  private static List<String> first() {
    StringBuilder columns = new StringBuilder();
    for (TrailField field : TrailField.values()) {
      columns.append(field.column()).append(" TEXT NOT NULL, ");
    }
    List<String> steps = new ArrayList<>();
    steps.add(
        "CREATE TABLE audit_event (seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE,"
            + columns
            + " text TEXT NOT NULL, json BLOB NOT NULL)");
    steps.add("CREATE INDEX audit_event_user ON audit_event (username, id)");
    steps.add("CREATE INDEX audit_event_namespace ON audit_event (namespace, id)");
    steps.add("CREATE INDEX audit_event_object ON audit_event (name, resource, namespace, id)");
    steps.add("PRAGMA application_id = " + APPLICATION_ID);
    return steps;
  }

  /**
   * The connection of the writer; makes the tables of a new file and brings those of an old one up
   * to date.
   */
  Connection openForWrites() throws SQLException {
    createPrivate();
    SQLiteConfig config = config();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    Connection connection = config.createConnection(url());
    try {
      execute(connection, BEGIN);
      migrate(connection);
      execute(connection, COMMIT);
      return connection;
    } catch (SQLException e) {
      close(connection);
      throw e;
    }
  }

  /** A connection that only reads. */
  Connection openForReads() throws SQLException {
    SQLiteConfig config = config();
    config.setReadOnly(true);
    config.setOpenMode(SQLiteOpenMode.READONLY);
    return config.createConnection(url());
  }

  private SQLiteConfig config() {
    SQLiteConfig config = new SQLiteConfig();
    config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
    config.setCacheSize(-CACHE_KIB);
    config.setBusyTimeout(Math.toIntExact(timeout.toMillis()));
    return config;
  }

  private String url() {
    return "jdbc:sqlite:" + path;
  }

  /** Only the owner can read the file; SQLite's other files follow it. */
  private void createPrivate() throws SQLException {
    if (path.toString().indexOf('?') >= 0) {
      throw new SQLException("the path must not hold a question mark: " + path);
    }
    try {
      Path directory = path.getParent();
      if (directory != null) {
        Files.createDirectories(directory);
      }
      DriverLibrary.place(null, path);
      boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
      if (posix && !Files.exists(path)) {
        Files.createFile(
            path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      }
    } catch (IOException e) {
      throw new SQLException("cannot make " + path + ": " + e, e);
    }
  }

  private void migrate(Connection connection) throws SQLException {
    int application = number(connection, "PRAGMA application_id");
    int version = number(connection, "PRAGMA user_version");
    boolean foreign = application != APPLICATION_ID && (application != 0 || hasTables(connection));
    if (foreign) {
      throw new SQLException(path + " is a database of another program");
    }
    if (version > VERSIONS.size()) {
      throw new SQLException(
          "%s has the tables of version %d, this program knows %d"
              .formatted(path, version, VERSIONS.size()));
    }
    for (int next = version; next < VERSIONS.size(); next++) {
      try (Statement statement = connection.createStatement()) {
        for (String step : VERSIONS.get(next)) {
          statement.execute(step);
        }
        statement.execute("PRAGMA user_version = " + (next + 1));
      }
    }
  }

  /** Executes a statement without parameters. */
  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static boolean hasTables(Connection connection) throws SQLException {
    return number(connection, "SELECT count(*) FROM sqlite_schema") > 0;
  }

  private static int number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? row.getInt(1) : 0;
    }
  }

  /** Closes a connection; what it has not committed is rolled back. */
  void close(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.warnf("event=audit-trail-close file=%s error=%s", path, e.getMessage());
    }
  }
}
