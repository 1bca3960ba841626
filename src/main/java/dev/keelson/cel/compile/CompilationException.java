package dev.keelson.cel.compile;

/** An expression does not compile. */
public final class CompilationException extends Exception {

  private static final long serialVersionUID = 1L;

  CompilationException(String message) {
    super(message);
  }

  /** The compiler's message, which has line, column and the marked source. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
