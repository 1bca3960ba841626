package dev.keelson.api;

/**
 * Why a request failed: the values of {@code Status.reason} that client libraries test. Only {@code
 * http} maps them to HTTP codes.
 */
public enum Reason {
  BAD_REQUEST("BadRequest"),
  UNAUTHORIZED("Unauthorized"),
  FORBIDDEN("Forbidden"),
  NOT_FOUND("NotFound"),
  METHOD_NOT_ALLOWED("MethodNotAllowed"),
  NOT_ACCEPTABLE("NotAcceptable"),
  ALREADY_EXISTS("AlreadyExists"),
  CONFLICT("Conflict"),
  GONE("Gone"),
  EXPIRED("Expired"),
  REQUEST_ENTITY_TOO_LARGE("RequestEntityTooLarge"),
  INVALID("Invalid"),
  TOO_MANY_REQUESTS("TooManyRequests"),
  INTERNAL_ERROR("InternalError"),
  /** A failure without a reason. */
  UNKNOWN(""),
  NOT_IMPLEMENTED("NotImplemented"),
  SERVICE_UNAVAILABLE("ServiceUnavailable"),
  SERVER_TIMEOUT("ServerTimeout"),
  TIMEOUT("Timeout");

  private final String word;

  Reason(String word) {
    this.word = word;
  }

  /** The CamelCase word of {@code Status.reason}. */
  public String word() {
    return word;
  }
}
