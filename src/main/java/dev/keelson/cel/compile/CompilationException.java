package dev.keelson.cel.compile;

/** An expression does not compile. */
public final class CompilationException extends Exception {

  private static final long serialVersionUID = 1L;

  private final Stage stage;

  /** What fails. */
  public enum Stage {
    /** The expression is wrong. */
    COMPILATION("compilation"),
    /** A constant in it is wrong, such as a regular expression. */
    INSTANTIATION("instantiation");

    private final String word;

    Stage(String word) {
      this.word = word;
    }
  }

  CompilationException(Stage stage, String message) {
    super(message);
    this.stage = stage;
  }

  /** What is wrong, as Kubernetes begins it: the compiler's message has line and column. */
  public String text() {
    String program = stage == Stage.INSTANTIATION ? "program " : "";
    return program + stage.word + " failed: " + getMessage();
  }

  /** The same of the expression of a field, such as {@code messageExpression}. */
  public String textOf(String field) {
    return field + " " + stage.word + " failed: " + getMessage();
  }
}
