package dev.keelson.storage.sqlite;

import dev.keelson.sqlite.DriverLibrary;
import dev.keelson.storage.StorageException;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The database file, held by this process alone from {@link #open} to {@link #close}: makes it,
 * checks that it is ours, and opens connections to it.
 */
final class StoreFile implements AutoCloseable {

  /** Marks the file as ours; "KEEL". */
  private static final int APPLICATION_ID = 0x4b45454c;

  private static final int SCHEMA_VERSION = 1;

  /**
   * Two objects of common size fit on a page, and a page that changes for one small row is not
   * dear.
   */
  static final int PAGE_BYTES = 8192;

  /** The write-ahead log is moved into the file when it has this many pages. */
  private static final int CHECKPOINT_PAGES = 1000;

  private static final long WAL_BYTES_KEPT = 16L << 20;
  private static final int WRITER_CACHE_KIB = 16 * 1024;
  private static final int READER_CACHE_KIB = 8 * 1024;

  private static final String[] SCHEMA = {
    // one row: the newest revision, the oldest that may be read, and how far the history before
    // that has been removed
    """
    CREATE TABLE state (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      revision INTEGER NOT NULL,
      compacted INTEGER NOT NULL,
      purged INTEGER NOT NULL)\
    """,
    // every change; previous is the revision of the key's change before this one (0: none), created
    // is the revision that made the key, and 0 if this change is a deletion
    """
    CREATE TABLE log (
      revision INTEGER PRIMARY KEY,
      previous INTEGER NOT NULL,
      created INTEGER NOT NULL,
      key BLOB NOT NULL,
      value BLOB)\
    """,
    // the newest change of each key, deletions included until they are compacted
    """
    CREATE TABLE head (
      key BLOB PRIMARY KEY,
      revision INTEGER NOT NULL,
      created INTEGER NOT NULL,
      lease INTEGER NOT NULL) WITHOUT ROWID\
    """,
    "CREATE INDEX head_lease ON head (lease) WHERE lease <> 0",
    // expires is in milliseconds since 1970
    "CREATE TABLE lease (id INTEGER PRIMARY KEY AUTOINCREMENT, expires INTEGER NOT NULL)",
    "CREATE INDEX lease_expires ON lease (expires)",
    // revision 1 is the empty map, as in etcd
    "INSERT INTO state VALUES (1, 1, 0, 0)",
    "PRAGMA application_id = " + APPLICATION_ID,
    "PRAGMA user_version = " + SCHEMA_VERSION,
  };

  private final SqliteOptions options;
  private final Path path;
  private final File wal;
  private final FileClaim claim;

  private StoreFile(SqliteOptions options, FileClaim claim) {
    this.options = options;
    this.path = claim.path();
    this.claim = claim;
    wal = beside(path, "-wal").toFile();
  }

  static Path beside(Path path, String suffix) {
    return path.resolveSibling(path.getFileName() + suffix);
  }

  /**
   * Takes the file for this process.
   *
   * @throws StorageException.Unavailable if another process has it, or it cannot be used
   */
  static StoreFile open(SqliteOptions options) {
    Path file = options.file().toAbsolutePath();
    if (file.toString().indexOf('?') >= 0) {
      throw new StorageException.Unavailable(
          "the path of the store must not hold a question mark: " + file, null);
    }
    FileClaim claim = null;
    try {
      Path parent = file.getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      claim = FileClaim.of(file);
      createPrivate(claim.path());
      DriverLibrary.place(options.libraryDirectory(), claim.path());
      return new StoreFile(options, claim);
    } catch (IOException e) {
      closeAfter(e, claim);
      throw new StorageException.Unavailable("cannot open the store " + file + ": " + e, e);
    } catch (RuntimeException e) {
      closeAfter(e, claim);
      throw e;
    }
  }

  /** Makes a missing file so that only its owner can read it; SQLite's other files follow it. */
  static void createPrivate(Path path) throws IOException {
    boolean known = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    if (known && !Files.exists(path)) {
      Files.createFile(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
  }

  /** Closes {@code resource}, if there is one, because of {@code failure}. */
  static void closeAfter(Throwable failure, @Nullable AutoCloseable resource) {
    if (resource != null) {
      try {
        resource.close();
      } catch (Exception e) {
        failure.addSuppressed(e);
      }
    }
  }

  /**
   * The connection of the writer; makes the tables of a new file and checks those of an old one.
   *
   * @throws StorageException.Unavailable if the file is foreign, damaged, newer than this program,
   *     or cannot be written
   */
  Connection openForWriting() {
    Connection connection = null;
    try {
      SQLiteConfig config = new SQLiteConfig();
      config.setBusyTimeout(busyMillis());
      connection = config.createConnection(url());
      prepare(connection);
      return connection;
    } catch (SQLException e) {
      closeAfter(e, connection);
      throw Failures.unavailable("cannot open the store " + options.file(), e);
    } catch (StorageException | IOException e) {
      closeAfter(e, connection);
      throw e instanceof StorageException known
          ? known
          : new StorageException.Unavailable("cannot open the store " + options.file(), e);
    }
  }

  /** A connection that can only read. */
  Connection openForReading() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(busyMillis());
    config.setCacheSize(-READER_CACHE_KIB);
    return config.createConnection(url());
  }

  /** The bytes that the write-ahead log has on disk. */
  long walBytes() {
    return wal.length();
  }

  private String url() {
    return url(path);
  }

  static String url(Path path) {
    return "jdbc:sqlite:" + path;
  }

  private int busyMillis() {
    return (int) Math.min(options.deadline().toMillis(), Integer.MAX_VALUE);
  }

  private void prepare(Connection connection) throws SQLException, IOException {
    try (Statement statement = connection.createStatement()) {
      boolean fresh = check(statement);
      if (fresh) {
        // both must be set before the first page is written
        statement.execute("PRAGMA page_size = " + PAGE_BYTES);
        statement.execute("PRAGMA auto_vacuum = INCREMENTAL");
      }
      String mode = text(statement, "PRAGMA journal_mode = WAL");
      if (!mode.equals("wal")) {
        throw new StorageException.Unavailable(
            "the store %s cannot be written (journal mode is %s, not wal)"
                .formatted(options.file(), mode),
            null);
      }
      statement.execute("PRAGMA synchronous = " + options.synchronous());
      statement.execute("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
      statement.execute("PRAGMA journal_size_limit = " + WAL_BYTES_KEPT);
      statement.execute("PRAGMA cache_size = -" + WRITER_CACHE_KIB);
      if (options.maxFileBytes() > 0) {
        statement.execute("PRAGMA max_page_count = " + options.maxFileBytes() / PAGE_BYTES);
      }
      statement.execute("BEGIN IMMEDIATE");
      if (fresh) {
        createTables(statement);
      }
      // also finds a file that cannot be written before the first caller does
      statement.execute("UPDATE state SET id = id");
      statement.execute("COMMIT");
      if (fresh) {
        flushDirectory();
      }
    }
  }

  /** Makes the tables of a new file; the state is revision 1, the empty map. */
  static void createTables(Statement statement) throws SQLException {
    for (String part : SCHEMA) {
      statement.execute(part);
    }
  }

  private boolean check(Statement statement) throws SQLException {
    return check(statement, options.file());
  }

  /**
   * Whether the file is new.
   *
   * @throws StorageException.Unavailable if it is not ours or has a layout of a newer program
   */
  static boolean check(Statement statement, Path file) throws SQLException {
    long application = number(statement, "PRAGMA application_id");
    long version = number(statement, "PRAGMA user_version");
    long tables = number(statement, "SELECT count(*) FROM sqlite_schema");
    if (application == 0 && version == 0 && tables == 0) {
      return true;
    }
    if (application != APPLICATION_ID) {
      throw new StorageException.Unavailable(
          "%s is a database of another program (application id %d)".formatted(file, application),
          null);
    }
    if (version > SCHEMA_VERSION) {
      throw new StorageException.Unavailable(
          "%s was written by a newer version of Keelson (layout %d, this one knows %d): use that one"
              .formatted(file, version, SCHEMA_VERSION),
          null);
    }
    if (version < SCHEMA_VERSION) {
      throw new StorageException.Unavailable(
          "%s has layout version %d, which no version of Keelson wrote".formatted(file, version),
          null);
    }
    return false;
  }

  /** Makes the new file's name survive a loss of power. */
  private void flushDirectory() throws IOException {
    if (options.synchronous() == Synchronous.FULL) {
      flushDirectory(path);
    }
  }

  /** Makes the name of {@code file}, an absolute path, survive a loss of power. */
  static void flushDirectory(Path file) throws IOException {
    Path parent = file.getParent();
    if (parent != null) {
      try (FileChannel directory = FileChannel.open(parent, StandardOpenOption.READ)) {
        directory.force(true);
      }
    }
  }

  static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  static String text(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  /** Gives the file up; the connections must have been closed. */
  @Override
  public void close() {
    claim.close();
  }
}
