package dev.keelson.client.remote;

import java.io.IOException;

/** Errors of connections. */
final class Failures {

  private Failures() {}

  /** The error as an exception of the transport, with a message in any case. */
  static IOException of(Throwable cause) {
    String message = cause.getMessage();
    return new IOException(
        message == null || message.isEmpty() ? cause.getClass().getSimpleName() : message, cause);
  }
}
