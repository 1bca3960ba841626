package dev.keelson.cel.admission;

/** What evaluations of one policy may still cost. Used by one thread. */
public final class Budget {

  /** Kubernetes' limit of the cost of all validations of a policy (RuntimeCELCostBudget). */
  public static final long POLICY = 10_000_000;

  /** The limit of the cost of all match conditions (RuntimeCELCostBudgetMatchConditions). */
  public static final long CONDITIONS = POLICY / 4;

  private long left;

  /** A budget of {@code units}. */
  public Budget(long units) {
    this.left = units;
  }

  /**
   * Spends a cost.
   *
   * @throws OutOfBudgetException if less is left
   */
  void spend(long cost) throws OutOfBudgetException {
    if (cost > left) {
      left = -1;
      throw new OutOfBudgetException();
    }
    left -= cost;
  }
}
