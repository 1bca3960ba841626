package dev.keelson.server.lifecycle;

import org.jspecify.annotations.Nullable;

/** The server cannot start; the message is for the operator and names what to mend. */
public final class StartupException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public StartupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
