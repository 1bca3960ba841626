package dev.keelson.cel.plan;

/** An expression that is ready for evaluation. Immutable; used by several threads. */
public final class Plan {

  private final Step root;
  private final int slots;

  Plan(Step root, int slots) {
    this.root = root;
    this.slots = slots;
  }

  /** The number of variables of a {@link Frame}: those of the environment and those of loops. */
  public int slots() {
    return slots;
  }

  /**
   * Evaluates the expression.
   *
   * @throws dev.keelson.cel.type.EvaluationError if it has no value
   * @throws CostExceededException if it exceeds the limit of the frame
   */
  public Object value(Frame frame) {
    return root.value(frame);
  }
}
