package dev.keelson.authn.jwt;

/** An invalid token; the message has the reason, for the log. */
public final class InvalidJwtException extends Exception {

  private static final long serialVersionUID = 1L;

  public InvalidJwtException(String message) {
    super(message);
  }

  public InvalidJwtException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Returns the message; never null. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
