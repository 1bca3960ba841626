package dev.keelson.storage.etcd;

import dev.keelson.storage.StorageException;
import io.grpc.Status;
import java.util.concurrent.TimeoutException;

/** Maps errors of gRPC and etcd to {@link StorageException}s. */
final class Failures {

  private Failures() {}

  /** Said of writes and leases while the alarm NOSPACE is raised. */
  private static final String NO_SPACE = "etcdserver: mvcc: database space exceeded";

  /** For a call without visible effects. */
  static StorageException ofRead(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    if (told(status).startsWith(NO_SPACE)) {
      return new StorageException.NoSpace(NO_SPACE, failure);
    }
    return status.getCode() == Status.Code.OUT_OF_RANGE
        ? outOfRange(status)
        : new StorageException.Unavailable("etcd: " + told(status), failure);
  }

  /** etcd uses one code for both ends of the history; they differ only in the text. */
  private static StorageException outOfRange(Status status) {
    return told(status).contains("future")
        ? new StorageException.FutureRevision(0)
        : new StorageException.Compacted(0);
  }

  /** Whether the user of the connection lacks the right to what it asked for. */
  static boolean isForbidden(Throwable failure) {
    // jetcd tells the refusal of a watch by etcd's words alone
    return Status.fromThrowable(failure).getCode() == Status.Code.PERMISSION_DENIED
        || String.valueOf(failure.getMessage()).contains("permission denied");
  }

  /**
   * For a transaction. The codes that etcd gives only when it has refused a request mean that
   * nothing was written. All others can also stand for a lost answer ({@code UNAVAILABLE} is used
   * by etcd for a proposal that timed out and by gRPC for a broken connection), and then the
   * outcome is unknown, unless the call never reached a connection.
   */
  static StorageException ofWrite(Throwable failure) {
    Status status = Status.fromThrowable(failure);
    String told = told(status);
    if (NotSentException.marks(failure)) {
      return new StorageException.Unavailable("etcd was not reached: " + told, failure);
    }
    return switch (status.getCode()) {
      case INVALID_ARGUMENT ->
          told.contains("too large")
              ? new StorageException.TooLarge(told, failure)
              : refused(told, failure);
      case RESOURCE_EXHAUSTED -> exhausted(told, failure);
      case NOT_FOUND,
          ALREADY_EXISTS,
          PERMISSION_DENIED,
          UNAUTHENTICATED,
          FAILED_PRECONDITION,
          OUT_OF_RANGE,
          UNIMPLEMENTED ->
          refused(told, failure);
      case OK, CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, ABORTED, INTERNAL, UNAVAILABLE, DATA_LOSS ->
          unknown(told, failure);
    };
  }

  /**
   * Said by etcd when its space or its patience for requests is used up and by its gRPC server for
   * a message that is too long, before anything is written; but also made up by the client when a
   * connection is closed to calm it down.
   */
  private static StorageException exhausted(String told, Throwable failure) {
    if (told.contains("larger than max")) {
      return new StorageException.TooLarge(told, failure);
    }
    if (told.startsWith(NO_SPACE)) {
      return new StorageException.NoSpace(NO_SPACE, failure);
    }
    return told.startsWith("etcdserver: ") ? refused(told, failure) : unknown(told, failure);
  }

  private static StorageException refused(String told, Throwable failure) {
    return new StorageException.Unavailable("etcd refused the write: " + told, failure);
  }

  private static StorageException unknown(String told, Throwable failure) {
    return new StorageException.UnknownOutcome("no answer from etcd: " + told, failure);
  }

  private static String told(Status status) {
    if (status.getCause() instanceof TimeoutException) {
      return CallDeadlines.LATE;
    }
    String description = status.getDescription();
    Throwable cause = status.getCause();
    if (description != null) {
      return description + " (" + status.getCode() + ")";
    }
    return cause == null ? status.getCode().name() : status.getCode() + ", " + cause;
  }
}
