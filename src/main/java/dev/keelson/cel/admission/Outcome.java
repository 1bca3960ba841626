package dev.keelson.cel.admission;

import dev.cel.common.values.NullValue;
import dev.keelson.cel.type.ObjectValue;
import dev.keelson.cel.type.TreeMapView;
import dev.keelson.cel.type.Trees;
import dev.keelson.object.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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

  /**
   * What is wrong with the types of constructed objects: each must have the name of the field that
   * holds it, below the type of the object around. Empty if nothing is (source:
   * CheckTypeNamesMatchFieldPathNames).
   */
  public String typeMismatches() {
    List<String> problems = new ArrayList<>();
    if (value instanceof ObjectValue object) {
      check(object, object.typeName(), problems);
    } else if (value instanceof List<?> operations) {
      for (Object operation : operations) {
        Object written = operation instanceof ObjectValue patch ? patch.get("value") : null;
        if (written instanceof ObjectValue object) {
          check(object, object.typeName(), problems);
        }
      }
    }
    return String.join("\n", problems);
  }

  private static void check(Object value, String path, List<String> problems) {
    switch (value) {
      case ObjectValue object -> {
        if (!object.typeName().equals(path)) {
          problems.add(
              "unexpected type name \""
                  + object.typeName()
                  + "\", expected \""
                  + path
                  + "\", which matches field name path from root Object type");
        }
        object.forEach((field, below) -> check(below, path + "." + field, problems));
      }
      case TreeMapView _ -> {
        // has no constructed parts
      }
      case Map<?, ?> map -> map.values().forEach(below -> check(below, path, problems));
      case List<?> list -> list.forEach(below -> check(below, path, problems));
      default -> {
        // has no parts
      }
    }
  }
}
