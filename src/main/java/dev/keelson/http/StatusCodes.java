package dev.keelson.http;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;

/** The HTTP status code of each reason; defined here only. */
public final class StatusCodes {

  private StatusCodes() {}

  /** Returns the status code of an error. */
  public static int of(ApiException error) {
    return error.code() == 0 ? of(error.reason()) : error.code();
  }

  /**
   * Returns the status code of {@code reason} (source: Kubernetes' status reasons; 406 for media
   * types by the contract).
   */
  public static int of(Reason reason) {
    return switch (reason) {
      case BAD_REQUEST -> 400;
      case UNAUTHORIZED -> 401;
      case FORBIDDEN -> 403;
      case NOT_FOUND -> 404;
      case METHOD_NOT_ALLOWED -> 405;
      case NOT_ACCEPTABLE -> 406;
      case ALREADY_EXISTS, CONFLICT -> 409;
      case GONE, EXPIRED -> 410;
      case REQUEST_ENTITY_TOO_LARGE -> 413;
      case INVALID -> 422;
      case TOO_MANY_REQUESTS -> 429;
      case INTERNAL_ERROR, UNKNOWN, SERVER_TIMEOUT -> 500;
      case NOT_IMPLEMENTED -> 501;
      case SERVICE_UNAVAILABLE -> 503;
      case TIMEOUT -> 504;
    };
  }
}
