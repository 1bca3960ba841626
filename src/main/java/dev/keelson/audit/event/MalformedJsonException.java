package dev.keelson.audit.event;

/** A document is not JSON. Carries no trace: it is expected, and caught next to where it arises. */
final class MalformedJsonException extends Exception {
  private static final long serialVersionUID = 1L;

  MalformedJsonException(String message) {
    super(message, null, false, false);
  }
}
