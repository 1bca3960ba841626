package dev.keelson.controller.autoscaler;

/** A metric cannot be read or used; the message is for the condition and the Event. */
final class MetricException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  MetricException(String message) {
    super(message);
  }

  /** The same problem, said from further out. */
  MetricException(String outer, MetricException cause) {
    super(outer + ": " + cause.text(), cause);
  }

  /** The message, which is never null. */
  String text() {
    String message = getMessage();
    return message == null ? "" : message;
  }
}
