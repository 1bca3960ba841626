package dev.keelson.pem;

import org.jspecify.annotations.Nullable;

/**
 * A text in PEM, or a key, that cannot be used. The message is for the operator and begins with the
 * source, where the caller gave one.
 */
public final class PemException extends IllegalArgumentException {

  private static final long serialVersionUID = 1L;

  PemException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  PemException(String message) {
    super(message);
  }
}
