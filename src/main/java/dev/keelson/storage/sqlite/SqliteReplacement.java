package dev.keelson.storage.sqlite;

import dev.keelson.storage.Snapshot;
import dev.keelson.storage.SnapshotTarget;
import dev.keelson.storage.StorageException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A copy that takes the place of the store in a server's file. The file is locked meanwhile, so
 * that no server opens it, and a store that holds keys is kept beside it under another name.
 */
public final class SqliteReplacement implements SnapshotTarget {

  private final StoreFile held;
  private final Path file;
  private final Path kept;
  private final SqliteImage image;
  private final long revision;
  private final long keys;
  private boolean closed;

  private SqliteReplacement(StoreFile held, Path file, Path kept, long revision, long keys) {
    this.held = held;
    this.file = file;
    this.kept = kept;
    this.revision = revision;
    this.keys = keys;
    image = SqliteImage.ofClaimed(file);
  }

  /**
   * Locks the file, which need not exist.
   *
   * @param kept the name for the store that is replaced; a file that does not exist
   * @throws StorageException.Unavailable if a server has it open, it is foreign, damaged, from a
   *     newer program, or cannot be written
   */
  public static SqliteReplacement open(Path file, Path kept) {
    SqliteOptions options = SqliteOptions.defaults(file);
    StoreFile held = StoreFile.open(options);
    try (Connection connection = held.openForWriting();
        Statement plain = connection.createStatement()) {
      long revision = StoreFile.number(plain, "SELECT revision FROM state");
      long keys = StoreFile.number(plain, "SELECT count(*) FROM head WHERE created <> 0");
      // the last connection of a file that ends moves its write-ahead log into it
      return new SqliteReplacement(held, file.toAbsolutePath(), kept, revision, keys);
    } catch (SQLException e) {
      StoreFile.closeAfter(e, held);
      throw Failures.unavailable("cannot open the store " + file, e);
    } catch (RuntimeException e) {
      StoreFile.closeAfter(e, held);
      throw e;
    }
  }

  /** The revision of the store that is replaced; 1 if there was none. */
  public long revision() {
    return revision;
  }

  /** How many keys the store holds that is replaced. */
  public long keys() {
    return keys;
  }

  @Override
  public void begin(long least, LongConsumer raised) {
    image.begin(least, raised);
  }

  @Override
  public int write(List<Snapshot.Item> items) {
    return image.write(items);
  }

  @Override
  public long complete() {
    try {
      Path log = StoreFile.beside(file, "-wal");
      if (Files.exists(log) && Files.size(log) > 0) {
        throw new StorageException.Unavailable(
            "another program reads the store %s; it keeps %s".formatted(file, log), null);
      }
      if (keys > 0) {
        keep();
      }
      long reached = image.complete();
      for (String suffix : List.of("-wal", "-shm")) {
        Files.deleteIfExists(StoreFile.beside(file, suffix));
      }
      return reached;
    } catch (IOException e) {
      throw new StorageException.Unavailable("cannot replace the store " + file + ": " + e, e);
    }
  }

  /** Gives the old file a second name, so that at no time there is no store. */
  private void keep() throws IOException {
    try {
      Files.createLink(kept, file);
    } catch (UnsupportedOperationException | FileSystemException e) {
      // a file system without links
      Files.copy(file, kept);
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      try (held) {
        image.close();
      }
    }
  }
}
