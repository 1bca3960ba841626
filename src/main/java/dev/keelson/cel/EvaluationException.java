package dev.keelson.cel;

/** The evaluation failed: a missing key, a wrong type or an exceeded cost limit. */
public final class EvaluationException extends Exception {

  private static final long serialVersionUID = 1L;

  EvaluationException(String message) {
    super(message);
  }

  EvaluationException(String message, Throwable cause) {
    super(message, cause);
  }
}
