package dev.keelson.authz.webhook;

import java.io.IOException;

/** The server could not answer now; the same question may have an answer a moment later. */
public final class RetryableException extends IOException {

  private static final long serialVersionUID = 1L;

  public RetryableException(String message, Throwable cause) {
    super(message, cause);
  }
}
