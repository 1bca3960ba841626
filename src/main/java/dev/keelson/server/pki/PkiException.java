package dev.keelson.server.pki;

import org.jspecify.annotations.Nullable;

/** A certificate or key that cannot be used or made; the message is for the operator. */
public final class PkiException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  PkiException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
