package dev.keelson.http;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;

/** The errors of paths and methods that are not served, in Kubernetes' words. */
public final class PathErrors {

  private PathErrors() {}

  /** Nothing is served at this path. */
  public static ApiException unknownPath() {
    return new ApiException(
        Reason.NOT_FOUND,
        "the server could not find the requested resource",
        ErrorDetails.NONE,
        null);
  }

  /** The path is served, but not by this method. */
  public static ApiException notAllowed() {
    return new ApiException(
        Reason.METHOD_NOT_ALLOWED,
        "the server does not allow this method on the requested resource",
        ErrorDetails.NONE,
        null);
  }
}
