package dev.keelson.authn.jwt;

/** A token that cannot be trusted; the message says why, for the log. */
public final class InvalidJwtException extends Exception {

  private static final long serialVersionUID = 1L;

  public InvalidJwtException(String message) {
    super(message);
  }

  public InvalidJwtException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The message, which is never null. */
  public String why() {
    return String.valueOf(getMessage());
  }
}
