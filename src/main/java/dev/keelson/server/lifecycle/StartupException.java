package dev.keelson.server.lifecycle;

import org.jspecify.annotations.Nullable;

/** The server cannot start; the message names the flag or file to correct. */
public final class StartupException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  public StartupException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
