package dev.keelson.storage.encryption.kms;

import io.grpc.Status;

/** A gRPC status as Go prints it. */
final class GoStatus {

  private GoStatus() {}

  /** The code in Go's spelling, such as {@code DeadlineExceeded}. */
  static String code(Status.Code code) {
    return switch (code) {
      case OK -> "OK";
      case CANCELLED -> "Canceled";
      case UNKNOWN -> "Unknown";
      case INVALID_ARGUMENT -> "InvalidArgument";
      case DEADLINE_EXCEEDED -> "DeadlineExceeded";
      case NOT_FOUND -> "NotFound";
      case ALREADY_EXISTS -> "AlreadyExists";
      case PERMISSION_DENIED -> "PermissionDenied";
      case RESOURCE_EXHAUSTED -> "ResourceExhausted";
      case FAILED_PRECONDITION -> "FailedPrecondition";
      case ABORTED -> "Aborted";
      case OUT_OF_RANGE -> "OutOfRange";
      case UNIMPLEMENTED -> "Unimplemented";
      case INTERNAL -> "Internal";
      case UNAVAILABLE -> "Unavailable";
      case DATA_LOSS -> "DataLoss";
      case UNAUTHENTICATED -> "Unauthenticated";
    };
  }

  /** The text of the error of Go's client. */
  static String text(Status status) {
    String description = status.getDescription();
    return "rpc error: code = "
        + code(status.getCode())
        + " desc = "
        + (description == null ? "" : description);
  }
}
