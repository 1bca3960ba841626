package dev.keelson.cel.type;

/** An error of an evaluation, with CEL's message. Operators such as {@code ||} may absorb it. */
public final class EvaluationError extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /** An error with a message such as {@code no such key: x}. */
  public EvaluationError(String message) {
    // no stack trace: an error is a result, and rules may have many of them
    super(message, null, false, false);
  }

  /** An operand has a type that the operator or function does not take. */
  public static EvaluationError noSuchOverload() {
    return new EvaluationError("no such overload");
  }
}
