package dev.keelson.cel.plan;

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
      Object one = first.value(frame);
      Object other = second == null ? one : second.value(frame);
      Object result = operator.apply(one, other);
      if (result == null) {
        result = fallback.call(second == null ? new Object[] {one} : new Object[] {one, other});
      }
      frame.charge(cost.of(one, other, result));
      return result;
    }
  }

  /** Any other function. */
  static final class Function extends Step {
    private final List<Step> arguments;
    private final CallCost cost;
    private final Functions.Dispatch dispatch;

    Function(List<Step> arguments, CallCost cost, Functions.Dispatch dispatch) {
      this.arguments = List.copyOf(arguments);
      this.cost = cost;
      this.dispatch = dispatch;
    }

    @Override
    Object value(Frame frame) {
      Object[] values = new Object[arguments.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = arguments.get(i).value(frame);
      }
      Object result = dispatch.call(values);
      frame.charge(
          cost.of(
              values.length > 0 ? values[0] : result,
              values.length > 1 ? values[1] : result,
              result));
      return result;
    }
  }
}
