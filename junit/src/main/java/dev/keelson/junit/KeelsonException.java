package dev.keelson.junit;

/** The server refuses what the library asks of it, or cannot start. */
public final class KeelsonException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  KeelsonException(String message, Throwable cause) {
    super(message, cause);
  }
}
