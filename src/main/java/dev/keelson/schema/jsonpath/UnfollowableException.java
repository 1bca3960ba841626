package dev.keelson.schema.jsonpath;

/** A path cannot be followed in an object. Without a stack trace: objects cause it. */
final class UnfollowableException extends RuntimeException {

  private static final long serialVersionUID = 1;

  UnfollowableException(String message) {
    super(message, null, false, false);
  }
}
