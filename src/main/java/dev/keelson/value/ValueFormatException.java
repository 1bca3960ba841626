package dev.keelson.value;

/**
 * A text is not a value of the type. The message is for the user who wrote the text, and that of
 * Kubernetes or Go where known; it is never null.
 */
public final class ValueFormatException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  /**
   * An error.
   *
   * @param message for the user who wrote the text
   */
  public ValueFormatException(String message) {
    super(message);
  }

  /** Without a stack trace: clients cause these errors, possibly many in one request. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }

  /** The message. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
