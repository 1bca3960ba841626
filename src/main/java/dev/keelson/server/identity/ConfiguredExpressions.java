package dev.keelson.server.identity;

import dev.keelson.cel.Environment;
import dev.keelson.cel.Expression;
import dev.keelson.cel.ValueType;

/** Compiles the expressions of configuration files, naming the field of a wrong one. */
final class ConfiguredExpressions {

  private ConfiguredExpressions() {}

  /**
   * Compiles one.
   *
   * @param at the field's path
   * @throws IllegalArgumentException if it is empty or wrong
   */
  static Expression compile(Environment environment, String at, String text, ValueType result) {
    if (text.isBlank()) {
      throw new IllegalArgumentException(at + ": is needed");
    }
    try {
      return environment.compile(text, result);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(at + ": \"" + text + "\": " + e.getMessage(), e);
    }
  }
}
