package dev.keelson.http;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.storage.StorageException;
import java.util.List;

/** Maps storage exceptions to API errors. */
final class StorageErrors {

  private StorageErrors() {}

  static ApiException toApi(StorageException error) {
    return switch (error) {
      case StorageException.Compacted e ->
          new ApiException(
              Reason.EXPIRED,
              "The resourceVersion for the provided list is too old.",
              ErrorDetails.NONE,
              e);
      case StorageException.RolledBack e ->
          new ApiException(
              Reason.EXPIRED,
              "The resourceVersion is of another state of the store.",
              ErrorDetails.NONE,
              e);
      case StorageException.FutureRevision e ->
          new ApiException(
              Reason.TIMEOUT,
              "Too large resource version",
              ErrorDetails.NONE
                  .withCauses(
                      List.of(
                          new FieldCause(
                              "ResourceVersionTooLarge", "Too large resource version", "")))
                  .withRetryAfterSeconds(1),
              e);
      case StorageException.UnknownOutcome e ->
          new ApiException(
              Reason.TIMEOUT,
              "the store did not answer in time; the write may or may not have been applied, read"
                  + " the object to check",
              ErrorDetails.NONE,
              e);
      case StorageException.TooLarge e ->
          new ApiException(
              Reason.REQUEST_ENTITY_TOO_LARGE,
              String.valueOf(e.getMessage()),
              ErrorDetails.NONE,
              e);
      case StorageException.NoSpace e ->
          // what kube-apiserver makes of an error that it does not know
          new ApiException(Reason.UNKNOWN, String.valueOf(e.getMessage()), ErrorDetails.NONE, e);
      case StorageException.Transformation e ->
          new ApiException(
              Reason.INTERNAL_ERROR,
              "Internal error occurred: " + e.getMessage(),
              ErrorDetails.NONE.withCauses(
                  List.of(new FieldCause("", String.valueOf(e.getMessage()), ""))),
              e);
      case StorageException.Closed e ->
          new ApiException(
              Reason.SERVICE_UNAVAILABLE,
              "the server is shutting down",
              ErrorDetails.NONE.withRetryAfterSeconds(1),
              e);
      case StorageException e ->
          new ApiException(
              Reason.SERVICE_UNAVAILABLE,
              "the store cannot be reached; please try again",
              ErrorDetails.NONE.withRetryAfterSeconds(1),
              e);
    };
  }
}
