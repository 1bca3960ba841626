package dev.keelson.storage.sqlite;

import dev.keelson.sqlite.DriverLibrary;
import dev.keelson.storage.Entry;
import dev.keelson.storage.Snapshot;
import dev.keelson.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The state of a store's file as of one read transaction. The file may be in use by a server, whose
 * writes go on: they only make its write-ahead log longer until the snapshot is closed.
 */
public final class SqliteSnapshot implements Snapshot {

  private static final int ITEMS = 500;
  private static final int BYTES = 4 << 20;
  private static final int BUSY_MILLIS = 10_000;

  private final Path file;
  private final Connection connection;
  private final long revision;
  private final long count;
  private @Nullable PreparedStatement select;
  private @Nullable ResultSet rows;
  private long delivered;
  private boolean closed;

  private SqliteSnapshot(Path file, Connection connection) throws SQLException {
    this.file = file;
    this.connection = connection;
    try (Statement plain = connection.createStatement()) {
      if (StoreFile.check(plain, file)) {
        throw new StorageException.Unavailable(file + " is empty", null);
      }
      plain.execute("BEGIN");
      revision = StoreFile.number(plain, "SELECT revision FROM state");
      count = StoreFile.number(plain, "SELECT count(*) FROM head WHERE created <> 0");
    }
  }

  /**
   * Begins a snapshot of the newest state.
   *
   * @throws StorageException.Unavailable if there is no such file, it is no store, or it was
   *     written by a newer program
   */
  public static SqliteSnapshot open(Path file) {
    checkRegular(file);
    Connection connection = null;
    try {
      DriverLibrary.placeFor(file);
      connection = reader(file);
      return new SqliteSnapshot(file, connection);
    } catch (SQLException e) {
      StoreFile.closeAfter(e, connection);
      throw Failures.unavailable("cannot read the store " + file, e);
    } catch (StorageException e) {
      StoreFile.closeAfter(e, connection);
      throw e;
    } catch (IOException e) {
      throw new StorageException.Unavailable("cannot read the store " + file + ": " + e, e);
    }
  }

  /**
   * Checks that there is a file: to open a named pipe would wait for its other end, whatever
   * signals come.
   *
   * @throws StorageException.Unavailable if it is missing, or a directory, pipe or device
   */
  static void checkRegular(Path file) {
    if (!Files.exists(file)) {
      throw new StorageException.Unavailable("there is no file " + file, null);
    }
    if (!Files.isRegularFile(file)) {
      throw new StorageException.Unavailable(file + " is no regular file", null);
    }
  }

  static Connection reader(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(BUSY_MILLIS);
    return config.createConnection(StoreFile.url(file.toAbsolutePath()));
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public List<Item> next() {
    List<Item> items = new ArrayList<>();
    int bytes = 0;
    try {
      ResultSet left = rows();
      while (items.size() < ITEMS && bytes < BYTES && left.next()) {
        Item item = item(left);
        items.add(item);
        bytes += item.bytes();
      }
    } catch (SQLException e) {
      throw Failures.unavailable("cannot read the store " + file, e);
    }
    delivered += items.size();
    if (items.isEmpty() && delivered != count) {
      throw damaged("%d of its %d keys can be read".formatted(delivered, count));
    }
    return items;
  }

  private ResultSet rows() throws SQLException {
    if (rows == null) {
      select =
          connection.prepareStatement(
              """
              SELECT h.key, h.revision, h.created, l.revision, l.value, e.expires
              FROM head h LEFT JOIN log l ON l.revision = h.revision
              LEFT JOIN lease e ON e.id = h.lease
              WHERE h.created <> 0 ORDER BY h.key\
              """);
      rows = select.executeQuery();
    }
    return rows;
  }

  private Item item(ResultSet row) throws SQLException {
    Entry entry = new Entry(Row.bytes(row, 1), Row.bytes(row, 5), row.getLong(3), row.getLong(2));
    if (row.getLong(4) == 0) {
      throw damaged("the value of %s is missing".formatted(entry.key().utf8()));
    }
    return new Item(entry, row.getLong(6));
  }

  private StorageException damaged(String what) {
    return new StorageException.Unavailable(
        "the store %s is damaged: %s; see keelson check".formatted(file, what), null);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (connection;
        PreparedStatement statement = select;
        ResultSet last = rows) {
      // closed in the order of their dependence
    } catch (SQLException e) {
      throw Failures.unavailable("cannot close the store " + file, e);
    }
  }
}
