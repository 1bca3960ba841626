package dev.keelson.server.identity;

import dev.keelson.cel.Environment;
import dev.keelson.cel.Expression;
import dev.keelson.cel.ValueType;
import dev.keelson.object.Node.MapNode;
import java.util.Set;

/** Checks and compiles fields of configuration files; every error names the field. */
final class ConfiguredFields {

  private ConfiguredFields() {}

  /**
   * Rejects unknown keys.
   *
   * @param at the path of {@code node}, with the dot at its end unless it is the root
   * @throws IllegalArgumentException if {@code node} has a key that is not one of {@code keys}
   */
  static void rejectUnknown(String at, MapNode node, String... keys) {
    Set<String> known = Set.of(keys);
    for (String key : node.keys()) {
      if (!known.contains(key)) {
        throw new IllegalArgumentException(at + key + ": unknown field");
      }
    }
  }

  /**
   * Compiles an expression.
   *
   * @param at the field's path
   * @throws IllegalArgumentException if it is empty or invalid
   */
  static Expression compile(Environment environment, String at, String text, ValueType result) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(at + ": is required");
    }
    try {
      return environment.compile(text, result);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(at + ": \"" + text + "\": " + e.getMessage(), e);
    }
  }
}
