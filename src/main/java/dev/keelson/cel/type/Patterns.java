package dev.keelson.cel.type;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/** Regular expressions of RE2, with Go's messages. */
public final class Patterns {

  private Patterns() {}

  /**
   * Compiles an expression.
   *
   * @throws IllegalArgumentException if it is wrong
   */
  public static Pattern compile(String expression) {
    try {
      return Pattern.compile(expression);
    } catch (PatternSyntaxException e) {
      String message = String.valueOf(e.getMessage());
      // the library has no message for an unexpected parenthesis
      throw new IllegalArgumentException(
          message.contains("stack underflow")
              ? "error parsing regexp: unexpected ): `" + expression + "`"
              : message,
          e);
    }
  }
}
