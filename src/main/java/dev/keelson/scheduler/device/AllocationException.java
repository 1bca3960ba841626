package dev.keelson.scheduler.device;

/** A claim or class is wrong, so that no node can be found. The message is for the user. */
final class AllocationException extends Exception {

  private static final long serialVersionUID = 1L;

  AllocationException(String message) {
    super(message);
  }
}
