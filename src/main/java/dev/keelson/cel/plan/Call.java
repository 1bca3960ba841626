package dev.keelson.cel.plan;

import dev.keelson.cel.type.EvaluationError;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls of functions and operators whose arguments are all evaluated. */
final class Call {

  private Call() {}

  /** An operator with one or two operands, and the library's function for other types. */
  static final class Operation extends Step {
    private final Operator operator;
    private final Step first;
    private final @Nullable Step second;
    private final CallCost cost;
    private final Functions.Dispatch fallback;

    Operation(
        Operator operator,
        Step first,
        @Nullable Step second,
        CallCost cost,
        Functions.Dispatch fallback) {
      this.operator = operator;
      this.first = first;
      this.second = second;
      this.cost = cost;
      this.fallback = fallback;
    }

    @Override
    Object value(Frame frame) {
      Object one = attempt(first, frame);
      Object other = second == null ? one : attempt(second, frame);
      Object result = result(one, other);
      // a call whose operands fail costs as much as any other
      frame.charge(cost.of(one, other, result));
      if (result instanceof EvaluationError problem) {
        throw problem;
      }
      return result;
    }

    private Object result(Object one, Object other) {
      if (one instanceof EvaluationError || other instanceof EvaluationError) {
        return one instanceof EvaluationError ? one : other;
      }
      try {
        Object result = operator.apply(one, other);
        return result != null
            ? result
            : fallback.call(second == null ? new Object[] {one} : new Object[] {one, other});
      } catch (EvaluationError e) {
        return e;
      }
    }
  }

  /** The value of a step, or its error. */
  private static Object attempt(Step step, Frame frame) {
    try {
      return step.value(frame);
    } catch (EvaluationError e) {
      return e;
    }
  }

  /** Any other function. */
  static final class Function extends Step {
    private final List<Step> arguments;
    private final CallCost cost;
    private final boolean prepaid;
    private final Functions.Dispatch dispatch;

    /**
     * @param prepaid whether the cost is known by the arguments and counted before the call
     */
    Function(List<Step> arguments, CallCost cost, boolean prepaid, Functions.Dispatch dispatch) {
      this.arguments = List.copyOf(arguments);
      this.cost = cost;
      this.prepaid = prepaid;
      this.dispatch = dispatch;
    }

    @Override
    Object value(Frame frame) {
      Object[] values = new Object[arguments.size()];
      Object problem = null;
      for (int i = 0; i < values.length; i++) {
        // with more than two arguments the first failed one ends the call, without a cost
        values[i] =
            values.length > 2 ? arguments.get(i).value(frame) : attempt(arguments.get(i), frame);
        if (problem == null && values[i] instanceof EvaluationError) {
          problem = values[i];
        }
      }
      if (prepaid && problem == null) {
        frame.charge(cost.of(values[0], values[values.length - 1], values[0]));
        return dispatch.call(values);
      }
      Object result = problem == null ? result(values) : problem;
      frame.charge(
          cost.of(
              values.length > 0 ? values[0] : result,
              values.length > 1 ? values[1] : result,
              result));
      if (result instanceof EvaluationError failure) {
        throw failure;
      }
      return result;
    }

    private Object result(Object[] values) {
      try {
        return dispatch.call(values);
      } catch (EvaluationError e) {
        return e;
      }
    }
  }
}
