package dev.keelson.authz.webhook;

import java.io.IOException;

/** The webhook failed with an error that should be retried. */
public final class RetryableException extends IOException {

  private static final long serialVersionUID = 1L;

  public RetryableException(String message, Throwable cause) {
    super(message, cause);
  }
}
