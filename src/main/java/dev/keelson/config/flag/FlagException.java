package dev.keelson.config.flag;

/** A setting that cannot be used; the message names it and is meant for whoever must mend it. */
public final class FlagException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public FlagException(String message) {
    super(message);
  }

  /** The message, which is never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
