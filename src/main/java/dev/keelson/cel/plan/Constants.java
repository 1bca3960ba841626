package dev.keelson.cel.plan;

import com.google.common.primitives.UnsignedLong;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parts of an expression that are evaluated once, when it is planned, and cost nothing then:
 * literals of constants, conversions of constants, and {@code in} of a literal list (source:
 * cel-go's interpreter/decorators.go, which Kubernetes enables by OptOptimize).
 */
final class Constants {

  private static final Set<String> CONVERSIONS =
      Set.of("bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "uint");

  private Constants() {}

  /** The text of a constant; null of any other step. */
  static @Nullable String text(@Nullable Step step) {
    return step instanceof Access.Constant constant && constant.constant() instanceof String text
        ? text
        : null;
  }

  /** A list literal. */
  static Step list(List<Step> items, Set<Integer> optional) {
    if (!optional.isEmpty() || !items.stream().allMatch(Access.Constant.class::isInstance)) {
      return new Literals.ListOf(items, optional);
    }
    List<Object> values = new ArrayList<>(items.size());
    for (Step item : items) {
      values.add(valueOf(item));
    }
    return new Access.Constant(List.copyOf(values));
  }

  /** A map literal. One with a repeated key fails when it is evaluated. */
  static Step map(List<Literals.Entry> entries) {
    Literals.MapOf literal = new Literals.MapOf(entries);
    for (Literals.Entry entry : entries) {
      if (entry.optional()
          || !(entry.key() instanceof Access.Constant)
          || !(entry.value() instanceof Access.Constant)) {
        return literal;
      }
    }
    try {
      return new Access.Constant(literal.value(new Frame(0, Long.MAX_VALUE)));
    } catch (EvaluationError e) {
      return literal;
    }
  }

  /** Whether a call converts a constant to another type. */
  static boolean isConversion(String function, List<Step> arguments) {
    return arguments.size() == 1
        && arguments.getFirst() instanceof Access.Constant
        && CONVERSIONS.contains(function);
  }

  /**
   * The value of a step without variables.
   *
   * @throws IllegalArgumentException if it has none
   */
  static Object valueOf(Step step) {
    try {
      return step.value(new Frame(0, Long.MAX_VALUE));
    } catch (EvaluationError e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }

  /** The step for {@code in} of a literal list of plain values; null of any other call. */
  static @Nullable Step folded(List<String> overloads, List<Step> arguments) {
    if (!overloads.equals(List.of("in_list"))
        || !(arguments.get(1) instanceof Access.Constant constant)
        || !(constant.constant() instanceof List<?> list)) {
      return null;
    }
    if (list.isEmpty()) {
      return new Access.Constant(false);
    }
    return list.stream().allMatch(Constants::isPlain)
        ? new Membership(arguments.getFirst(), list)
        : null;
  }

  private static boolean isPlain(Object value) {
    return value instanceof Boolean
        || value instanceof Long
        || value instanceof UnsignedLong
        || value instanceof Double
        || value instanceof String;
  }

  private static final class Membership extends Step {
    private final Step item;
    private final List<?> list;

    Membership(Step item, List<?> list) {
      this.item = item;
      this.list = list;
    }

    @Override
    Object value(Frame frame) {
      return Values.contains(list, item.value(frame));
    }
  }
}
