package dev.keelson.cel.admission;

import dev.cel.common.values.NullValue;
import dev.keelson.cel.type.Trees;
import dev.keelson.object.Node;
import org.jspecify.annotations.Nullable;

/**
 * The result of an evaluation.
 *
 * @param value the value; null if there is an error
 * @param error the error as the client sees it; empty if there is a value
 */
public record Outcome(@Nullable Object value, String error) {

  static Outcome failed(String error) {
    return new Outcome(null, error);
  }

  /** Whether there is no value. */
  public boolean failed() {
    return value == null;
  }

  /** Whether the value is {@code true}. */
  public boolean isTrue() {
    return Boolean.TRUE.equals(value);
  }

  /** Whether the value is {@code false}. */
  public boolean isFalse() {
    return Boolean.FALSE.equals(value);
  }

  /** Whether the value is CEL's null. */
  public boolean isNull() {
    return value == NullValue.NULL_VALUE;
  }

  /** The string; null for values of other types. */
  public @Nullable String text() {
    return value instanceof String text ? text : null;
  }

  /**
   * The value as JSON.
   *
   * @throws dev.keelson.cel.type.EvaluationError if it has no form in JSON
   */
  public Node node() {
    return value == null ? Node.Null.NULL : Trees.node(value);
  }
}
