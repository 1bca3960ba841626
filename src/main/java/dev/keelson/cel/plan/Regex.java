package dev.keelson.cel.plan;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.keelson.cel.type.EvaluationError;
import dev.keelson.cel.type.Patterns;
import org.jspecify.annotations.Nullable;

/** {@code matches} and {@code find}: RE2's expressions, compiled once if they are constant. */
final class Regex {

  private Regex() {}

  /**
   * The operator {@code matches} for a constant pattern.
   *
   * @throws IllegalArgumentException if it is not a regular expression
   */
  static Operator constant(String pattern) {
    Pattern compiled = Patterns.compile(pattern);
    return (text, same) -> text instanceof String found ? compiled.matcher(found).find() : null;
  }

  /**
   * The operator {@code find} for a constant pattern: the first match, or an empty text.
   *
   * @throws IllegalArgumentException if it is not a regular expression
   */
  static Operator find(String pattern) {
    Pattern compiled = Patterns.compile(pattern);
    return (text, same) -> {
      if (!(text instanceof String found)) {
        return null;
      }
      Matcher matcher = compiled.matcher(found);
      return matcher.find() ? matcher.group() : "";
    };
  }

  /** Whether a text contains a match. */
  static @Nullable Object matches(Object text, Object pattern) {
    if (!(text instanceof String found && pattern instanceof String expression)) {
      return null;
    }
    try {
      return Patterns.compile(expression).matcher(found).find();
    } catch (IllegalArgumentException e) {
      throw new EvaluationError(String.valueOf(e.getMessage()));
    }
  }
}
