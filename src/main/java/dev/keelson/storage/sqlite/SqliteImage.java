package dev.keelson.storage.sqlite;

import dev.keelson.sqlite.DriverLibrary;
import dev.keelson.storage.Entry;
import dev.keelson.storage.Snapshot;
import dev.keelson.storage.SnapshotTarget;
import dev.keelson.storage.StorageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * A new store file, complete or not there: it is written under another name ({@code .partial})
 * without a journal, flushed, and renamed. Items keep their revisions. It has no history.
 */
public final class SqliteImage implements SnapshotTarget {

  private static final int CACHE_KIB = 64 * 1024;

  private final Path file;
  private final Path partial;
  private final boolean claims;
  private final Map<Long, Long> leases = new HashMap<>();

  /** Items whose revision another item has; etcd can change several keys at one revision. */
  private final List<Snapshot.Item> shared = new ArrayList<>();

  private @Nullable FileClaim claim;
  private @Nullable Connection connection;
  private @Nullable PreparedStatement insertLog;
  private @Nullable PreparedStatement insertHead;
  private long revision = 1;

  private SqliteImage(Path file, boolean claims) {
    this.file = file.toAbsolutePath();
    this.claims = claims;
    partial = StoreFile.beside(this.file, ".partial");
  }

  /**
   * An image that becomes {@code file}, which it replaces. From {@link #begin} to {@link #close} no
   * other process can open that file as its store, or write another image for it.
   */
  public static SqliteImage of(Path file) {
    return new SqliteImage(file, /* claims= */ true);
  }

  /** An image that becomes a file that the caller has claimed. */
  static SqliteImage ofClaimed(Path file) {
    return new SqliteImage(file, /* claims= */ false);
  }

  @Override
  public void begin(long least, LongConsumer raised) {
    revision = Math.max(revision, least);
    try {
      if (claims) {
        claim = FileClaim.of(file);
      }
      Files.deleteIfExists(partial);
      StoreFile.createPrivate(partial);
      DriverLibrary.placeFor(file);
      SQLiteConfig config = new SQLiteConfig();
      config.setCacheSize(-CACHE_KIB);
      Connection opened = config.createConnection(StoreFile.url(partial));
      connection = opened;
      try (Statement plain = opened.createStatement()) {
        plain.execute("PRAGMA page_size = " + StoreFile.PAGE_BYTES);
        plain.execute("PRAGMA auto_vacuum = INCREMENTAL");
        plain.execute("PRAGMA journal_mode = OFF");
        plain.execute("PRAGMA synchronous = OFF");
        plain.execute("BEGIN IMMEDIATE");
        StoreFile.createTables(plain);
      }
      insertLog = opened.prepareStatement("INSERT OR IGNORE INTO log VALUES (?, 0, ?, ?, ?)");
      insertHead = opened.prepareStatement("INSERT INTO head VALUES (?, ?, ?, ?)");
    } catch (SQLException e) {
      throw Failures.unavailable("cannot write " + partial, e);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  @Override
  public int write(List<Snapshot.Item> items) {
    try {
      for (Snapshot.Item item : items) {
        long own = item.entry().modRevision();
        revision = Math.max(revision, own);
        if (!insert(item, own)) {
          shared.add(item);
        }
      }
      return items.size();
    } catch (SQLException e) {
      throw Failures.unavailable("cannot write " + partial, e);
    }
  }

  /** Inserts the item at a revision; false if another item has it. */
  private boolean insert(Snapshot.Item item, long at) throws SQLException {
    Entry entry = item.entry();
    PreparedStatement log = begun(insertLog);
    log.setLong(1, at);
    log.setLong(2, entry.createRevision());
    Row.set(log, 3, entry.key());
    Row.set(log, 4, entry.value());
    if (log.executeUpdate() == 0) {
      return false;
    }
    PreparedStatement head = begun(insertHead);
    Row.set(head, 1, entry.key());
    head.setLong(2, at);
    head.setLong(3, entry.createRevision());
    head.setLong(4, lease(item.expiresMillis()));
    head.executeUpdate();
    return true;
  }

  /** The lease that ends then; 0 for none. */
  private long lease(long expiresMillis) throws SQLException {
    if (expiresMillis == Snapshot.Item.NEVER) {
      return 0;
    }
    Long known = leases.get(expiresMillis);
    if (known == null) {
      try (Statement plain = begun(connection).createStatement()) {
        plain.executeUpdate("INSERT INTO lease (expires) VALUES (" + expiresMillis + ")");
        try (ResultSet row = plain.executeQuery("SELECT last_insert_rowid()")) {
          row.next();
          known = row.getLong(1);
        }
      }
      leases.put(expiresMillis, known);
    }
    return known;
  }

  @Override
  public long complete() {
    try {
      for (Snapshot.Item item : shared) {
        revision++;
        if (!insert(item, revision)) {
          throw new IllegalStateException("revision %d is taken".formatted(revision));
        }
      }
      finish();
      Files.move(
          partial, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
      StoreFile.flushDirectory(file);
      return revision;
    } catch (SQLException e) {
      throw Failures.unavailable("cannot write " + partial, e);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private void finish() throws SQLException, IOException {
    Connection open = begun(connection);
    try (Statement plain = open.createStatement()) {
      plain.executeUpdate(
          "UPDATE state SET revision = %1$d, compacted = %1$d, purged = %1$d".formatted(revision));
      plain.execute("COMMIT");
    }
    disconnect();
    try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private void disconnect() throws SQLException {
    try (Connection last = connection;
        PreparedStatement log = insertLog;
        PreparedStatement head = insertHead) {
      connection = null;
      insertLog = null;
      insertHead = null;
    }
  }

  private static <T> T begun(@Nullable T part) {
    if (part == null) {
      throw new IllegalStateException("the image has not begun, or is complete");
    }
    return part;
  }

  private StorageException failed(IOException cause) {
    return new StorageException.Unavailable("cannot write " + file + ": " + cause, cause);
  }

  @Override
  public void close() {
    if (claims && claim == null) {
      // what is there under the other name is not of this image
      return;
    }
    try (FileClaim held = claim) {
      claim = null;
      disconnect();
      Files.deleteIfExists(partial);
    } catch (SQLException e) {
      throw Failures.unavailable("cannot close " + partial, e);
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
