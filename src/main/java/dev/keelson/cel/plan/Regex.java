package dev.keelson.cel.plan;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.keelson.cel.type.EvaluationError;
import org.jspecify.annotations.Nullable;

/** {@code matches}: RE2's expressions, compiled once if they are constant. */
final class Regex {

  private Regex() {}

  /**
   * The operator for a constant pattern.
   *
   * @throws IllegalArgumentException if it is not a regular expression
   */
  static Operator constant(String pattern) {
    Pattern compiled;
    try {
      compiled = Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("error parsing regexp: " + e.getMessage(), e);
    }
    return (text, same) -> text instanceof String found ? compiled.matcher(found).find() : null;
  }

  /** Whether a text contains a match. */
  static @Nullable Object matches(Object text, Object pattern) {
    if (!(text instanceof String found && pattern instanceof String expression)) {
      return null;
    }
    try {
      return Pattern.compile(expression).matcher(found).find();
    } catch (PatternSyntaxException e) {
      throw new EvaluationError("error parsing regexp: " + e.getMessage());
    }
  }
}
