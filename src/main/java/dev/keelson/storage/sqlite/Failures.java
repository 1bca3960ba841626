package dev.keelson.storage.sqlite;

import dev.keelson.storage.StorageException;
import java.sql.SQLException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** Maps errors of SQLite to {@link StorageException}s. */
final class Failures {

  private Failures() {}

  /** For anything but a commit: nothing was written. */
  static StorageException unavailable(String doing, SQLException cause) {
    return new StorageException.Unavailable(doing + ": " + explain(cause), cause);
  }

  /**
   * For a commit. A full disk is known to leave no commit mark in the log (the mark is in the last
   * page that is written); any other failure may come after the mark reached the file, where a
   * later recovery would find it.
   */
  static StorageException ofCommit(SQLException cause) {
    return switch (primary(cause)) {
      case SQLITE_FULL, SQLITE_BUSY, SQLITE_READONLY -> unavailable("cannot commit", cause);
      default -> new StorageException.UnknownOutcome("the commit failed: " + explain(cause), cause);
    };
  }

  private static String explain(SQLException cause) {
    return switch (primary(cause)) {
      case SQLITE_FULL -> "the disk is full, or the file has reached its largest size";
      case SQLITE_READONLY -> "the database file cannot be written";
      case SQLITE_NOTADB -> "the file is not a SQLite database";
      case SQLITE_CORRUPT -> "the database file is damaged; restore it from a backup";
      case SQLITE_CANTOPEN -> "the file cannot be opened";
      case SQLITE_BUSY -> "another process works on the file";
      default -> withRoot(cause);
    };
  }

  /** The driver wraps root causes, such as a native library that cannot be loaded. */
  private static String withRoot(SQLException cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return root == cause ? String.valueOf(cause.getMessage()) : cause.getMessage() + ": " + root;
  }

  /** The error without its extended part. */
  private static SQLiteErrorCode primary(SQLException cause) {
    return cause instanceof SQLiteException known
        ? SQLiteErrorCode.getErrorCode(known.getResultCode().code & 0xff)
        : SQLiteErrorCode.UNKNOWN_ERROR;
  }
}
