package dev.keelson.http;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;

/** The errors of paths and methods that are not served, with Kubernetes' messages. */
public final class PathErrors {

  private PathErrors() {}

  /** The error of an unknown path. */
  public static ApiException unknownPath() {
    return new ApiException(
        Reason.NOT_FOUND,
        "the server could not find the requested resource",
        ErrorDetails.NONE,
        null);
  }

  /** The error of a method that the path does not support. */
  public static ApiException notAllowed() {
    return new ApiException(
        Reason.METHOD_NOT_ALLOWED,
        "the server does not allow this method on the requested resource",
        ErrorDetails.NONE,
        null);
  }
}
