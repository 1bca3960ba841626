package dev.keelson.authn.oidc;

/** A login that failed; the message is for the log, since it may quote the provider. */
public final class LoginException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Cause kind;

  /** What a user can do about it. */
  public enum Cause {
    /** The provider cannot be reached, or its answer cannot be read: a later login may succeed. */
    UNAVAILABLE,
    /** The provider refused, or sent a token that is not valid here. */
    REFUSED
  }

  public LoginException(Cause kind, String message) {
    super(message);
    this.kind = kind;
  }

  LoginException(Cause kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  public Cause kind() {
    return kind;
  }

  /** Returns the message; never null. */
  public String reason() {
    return String.valueOf(getMessage());
  }
}
