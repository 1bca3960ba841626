package dev.keelson.api;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A condition on one label of a selector. {@code =} is {@code IN} with one value, {@code !=} is
 * {@code NOT_IN} with one value, and an object without the label matches {@code NOT_IN}.
 *
 * @param key the label's key
 * @param operator how the label is compared
 * @param values the operands: none for the two EXISTS operators, one integer for the two
 *     comparisons
 */
public record LabelRequirement(String key, Operator operator, Set<String> values) {

  /** The operators of the grammar. */
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GREATER_THAN,
    LESS_THAN
  }

  public LabelRequirement {
    values = Set.copyOf(values);
  }

  /** Whether an object with {@code labels} meets the condition. */
  public boolean matches(Map<String, String> labels) {
    return matchesValue(labels.get(key));
  }

  /** Whether an object meets the condition whose label {@code key} has a value; null for none. */
  public boolean matchesValue(@Nullable String value) {
    return switch (operator) {
      case IN -> value != null && values.contains(value);
      case NOT_IN -> value == null || !values.contains(value);
      case EXISTS -> value != null;
      case DOES_NOT_EXIST -> value == null;
      case GREATER_THAN -> value != null && compare(value) > 0;
      case LESS_THAN -> value != null && compare(value) < 0;
    };
  }

  /** The sign of label minus bound; 0, which matches neither, if the label is no integer. */
  private int compare(String value) {
    try {
      return Long.compare(Long.parseLong(value), Long.parseLong(values.iterator().next()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
