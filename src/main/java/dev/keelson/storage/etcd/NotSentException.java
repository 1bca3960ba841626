package dev.keelson.storage.etcd;

import org.jspecify.annotations.Nullable;

/**
 * Marks, in the chain of causes, a call that failed before any connection had taken it, so that
 * etcd cannot have seen it.
 */
final class NotSentException extends Exception {

  private static final long serialVersionUID = 1L;

  NotSentException(@Nullable Throwable cause) {
    super("the call was not sent", cause, false, false);
  }

  /** Whether {@code failure} has this mark. */
  static boolean marks(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof NotSentException) {
        return true;
      }
    }
    return false;
  }
}
