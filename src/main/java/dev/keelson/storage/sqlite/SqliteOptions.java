package dev.keelson.storage.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link SqliteStore}.
 *
 * @param file the database file; it and its directory are made if they are missing. Beside it lie
 *     {@code -wal}, {@code -shm}, {@code .lock} and {@code .lib}
 * @param synchronous the durability of an acknowledged write
 * @param deadline the longest that a call may take
 * @param maxRequestBytes the most bytes of key and value of one write together
 * @param maxHistory how many revisions are kept before the store compacts by itself; 0 means that
 *     it does so only when asked
 * @param maxFileBytes how large the file may grow before writes fail as on a full disk; 0 means no
 *     bound, else at least 1 MiB
 * @param readers how many reads may be inside SQLite at the same time
 * @param libraryDirectory where the driver unpacks its native library; it must allow execution.
 *     Null means the system property {@code org.sqlite.tmpdir}, else a directory beside the file.
 *     It counts for the whole process and only before the first store opens
 */
public record SqliteOptions(
    Path file,
    Synchronous synchronous,
    Duration deadline,
    int maxRequestBytes,
    long maxHistory,
    long maxFileBytes,
    int readers,
    @Nullable Path libraryDirectory) {

  /** etcd's own default for the size of a request. */
  private static final int DEFAULT_REQUEST_BYTES = 1536 * 1024;

  private static final long LEAST_FILE_BYTES = 1 << 20;

  public SqliteOptions {
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("deadline must be positive, not " + deadline);
    }
    if (maxFileBytes > 0 && maxFileBytes < LEAST_FILE_BYTES) {
      throw new IllegalArgumentException(
          "maxFileBytes must be 0 or at least %d, not %d"
              .formatted(LEAST_FILE_BYTES, maxFileBytes));
    }
    if (maxRequestBytes < 1 || maxHistory < 0 || maxFileBytes < 0 || readers < 1) {
      throw new IllegalArgumentException(
          "limits out of range: maxRequestBytes=%d maxHistory=%d maxFileBytes=%d readers=%d"
              .formatted(maxRequestBytes, maxHistory, maxFileBytes, readers));
    }
  }

  /** Durable writes, 10 s deadline, etcd's request limit, no other bounds. */
  public static SqliteOptions defaults(Path file) {
    return new SqliteOptions(
        file, Synchronous.FULL, Duration.ofSeconds(10), DEFAULT_REQUEST_BYTES, 0, 0, 4, null);
  }

  /** These options with another {@code synchronous}. */
  public SqliteOptions withSynchronous(Synchronous other) {
    return new SqliteOptions(
        file,
        other,
        deadline,
        maxRequestBytes,
        maxHistory,
        maxFileBytes,
        readers,
        libraryDirectory);
  }

  /** These options with another {@code deadline}. */
  public SqliteOptions withDeadline(Duration other) {
    return new SqliteOptions(
        file,
        synchronous,
        other,
        maxRequestBytes,
        maxHistory,
        maxFileBytes,
        readers,
        libraryDirectory);
  }

  /** These options with other bounds of the history, in revisions, and of the file, in bytes. */
  public SqliteOptions withLimits(long history, long fileBytes) {
    return new SqliteOptions(
        file,
        synchronous,
        deadline,
        maxRequestBytes,
        history,
        fileBytes,
        readers,
        libraryDirectory);
  }

  /** These options with another directory for the driver's native library. */
  public SqliteOptions withLibraryDirectory(Path directory) {
    return new SqliteOptions(
        file, synchronous, deadline, maxRequestBytes, maxHistory, maxFileBytes, readers, directory);
  }
}
