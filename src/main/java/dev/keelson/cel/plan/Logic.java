package dev.keelson.cel.plan;

import dev.keelson.cel.type.EvaluationError;

/** Steps that do not need all of their parts. They are free, their parts are not. */
final class Logic {

  private Logic() {}

  /**
   * {@code &&} and {@code ||}: one operand that decides outweighs an error of the other. If both
   * fail, the error is that of the first.
   */
  static final class Either extends Step {
    private final Step left;
    private final Step right;
    private final boolean decisive;

    /**
     * @param decisive true for {@code ||}, false for {@code &&}
     */
    Either(Step left, Step right, boolean decisive) {
      this.left = left;
      this.right = right;
      this.decisive = decisive;
    }

    @Override
    Object value(Frame frame) {
      EvaluationError problem = null;
      try {
        if (truth(left.value(frame)) == decisive) {
          return decisive;
        }
      } catch (EvaluationError e) {
        problem = e;
      }
      boolean other;
      try {
        other = truth(right.value(frame));
      } catch (EvaluationError e) {
        throw problem == null ? e : problem;
      }
      if (other == decisive || problem == null) {
        return other;
      }
      throw problem;
    }
  }

  /** {@code condition ? one : other}. */
  static final class Choice extends Step {
    private final Step condition;
    private final Step one;
    private final Step other;

    Choice(Step condition, Step one, Step other) {
      this.condition = condition;
      this.one = one;
      this.other = other;
    }

    @Override
    Object value(Frame frame) {
      Step chosen = truth(condition.value(frame)) ? one : other;
      Object value = chosen.value(frame);
      if (chosen.isAttribute()) {
        // cel-go resolves an attribute here without counting the variable
        frame.discount(1);
      }
      return value;
    }
  }

  /** {@code !operand}. */
  static final class Not extends Step {
    private final Step operand;

    Not(Step operand) {
      this.operand = operand;
    }

    @Override
    Object value(Frame frame) {
      Object value;
      try {
        value = operand.value(frame);
      } catch (EvaluationError e) {
        frame.charge(1);
        throw e;
      }
      frame.charge(1);
      return !truth(value);
    }
  }

  /** The condition of macros: an error counts as true, so that the loop goes on. */
  static final class NotStrictlyFalse extends Step {
    private final Step operand;

    NotStrictlyFalse(Step operand) {
      this.operand = operand;
    }

    @Override
    Object value(Frame frame) {
      boolean truth;
      try {
        truth = !Boolean.FALSE.equals(operand.value(frame));
      } catch (EvaluationError e) {
        truth = true;
      }
      frame.charge(1);
      return truth;
    }
  }

  static boolean truth(Object value) {
    if (value instanceof Boolean truth) {
      return truth;
    }
    throw EvaluationError.noSuchOverload();
  }
}
