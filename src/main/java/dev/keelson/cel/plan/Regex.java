package dev.keelson.cel.plan;

import com.google.re2j.Matcher;
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
    Pattern compiled = check(pattern);
    return (text, same) -> text instanceof String found ? compiled.matcher(found).find() : null;
  }

  /**
   * The operator {@code find} for a constant pattern: the first match, or an empty text.
   *
   * @throws IllegalArgumentException if it is not a regular expression
   */
  static Operator find(String pattern) {
    Pattern compiled = check(pattern);
    return (text, same) -> {
      if (!(text instanceof String found)) {
        return null;
      }
      Matcher matcher = compiled.matcher(found);
      return matcher.find() ? matcher.group() : "";
    };
  }

  /**
   * A constant pattern.
   *
   * @throws IllegalArgumentException if it is not a regular expression, in Go's words
   */
  static Pattern check(String pattern) {
    try {
      return Pattern.compile(pattern);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException(words(e, pattern), e);
    }
  }

  /** The message of Go, of which the library knows no unexpected parenthesis. */
  private static String words(PatternSyntaxException e, String pattern) {
    String message = String.valueOf(e.getMessage());
    return message.contains("stack underflow")
        ? "error parsing regexp: unexpected ): `" + pattern + "`"
        : message;
  }

  /** Whether a text contains a match. */
  static @Nullable Object matches(Object text, Object pattern) {
    if (!(text instanceof String found && pattern instanceof String expression)) {
      return null;
    }
    try {
      return Pattern.compile(expression).matcher(found).find();
    } catch (PatternSyntaxException e) {
      throw new EvaluationError(words(e, expression));
    }
  }
}
