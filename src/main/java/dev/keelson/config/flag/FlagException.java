package dev.keelson.config.flag;

/** An invalid setting; the message names it and is shown to the user. */
public final class FlagException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public FlagException(String message) {
    super(message);
  }

  /** Returns the message; never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
