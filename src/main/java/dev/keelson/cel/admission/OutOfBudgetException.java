package dev.keelson.cel.admission;

/** The budget of a policy is spent. */
public final class OutOfBudgetException extends Exception {

  private static final long serialVersionUID = 1L;

  OutOfBudgetException() {
    super(
        "validation failed due to running out of cost budget, no further validation rules will be"
            + " run",
        null,
        false,
        false);
  }

  /** The message, which is never null. */
  public String text() {
    return String.valueOf(getMessage());
  }
}
