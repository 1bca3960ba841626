package dev.keelson.cel;

/** An expression has no value: a key is missing, a type is wrong, or it costs too much. */
public final class EvaluationException extends Exception {

  private static final long serialVersionUID = 1L;

  EvaluationException(String message) {
    super(message);
  }

  EvaluationException(String message, Throwable cause) {
    super(message, cause);
  }
}
