package dev.keelson.schema.jsonpath;

import dev.keelson.value.ValueFormatException;

/** The escapes of Go's string literals, in single or double quotes. */
final class GoEscapes {

  private GoEscapes() {}

  /**
   * The text of a literal.
   *
   * @param literal with the same quote at both ends
   * @throws ValueFormatException in client-go's words if an escape is wrong
   */
  static String unquoted(String literal) {
    char quote = literal.charAt(0);
    String body = literal.substring(1, literal.length() - 1);
    if (body.indexOf('\\') < 0) {
      return body;
    }
    StringBuilder text = new StringBuilder(body.length());
    int at = 0;
    while (at < body.length()) {
      char c = body.charAt(at++);
      if (c == quote) {
        throw wrong(literal);
      }
      if (c == '\\') {
        at = escape(body, at, quote, text, literal);
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  /** Appends what the escape means whose backslash stands before {@code at}; the place behind. */
  private static int escape(String body, int at, char quote, StringBuilder text, String literal) {
    char c = at < body.length() ? body.charAt(at) : 0;
    int digits =
        switch (c) {
          case 'x' -> 2;
          case 'u' -> 4;
          case 'U' -> 8;
          default -> 0;
        };
    if (digits > 0) {
      text.appendCodePoint(number(body, at + 1, digits, 16, literal));
      return at + 1 + digits;
    }
    if (c >= '0' && c <= '7') {
      text.appendCodePoint(number(body, at, 3, 8, literal));
      return at + 3;
    }
    text.append(
        switch (c) {
          case 'a' -> '\u0007';
          case 'b' -> '\b';
          case 'f' -> '\f';
          case 'n' -> '\n';
          case 'r' -> '\r';
          case 't' -> '\t';
          case 'v' -> '\u000b';
          case '\\' -> '\\';
          default -> {
            if (c != quote) {
              throw wrong(literal);
            }
            yield c;
          }
        });
    return at + 1;
  }

  private static int number(String body, int from, int digits, int radix, String literal) {
    if (from + digits > body.length()) {
      throw wrong(literal);
    }
    int number = 0;
    for (int i = from; i < from + digits; i++) {
      int digit = Character.digit(body.charAt(i), radix);
      if (digit < 0 || number > Character.MAX_CODE_POINT) {
        throw wrong(literal);
      }
      number = number * radix + digit;
    }
    if (!Character.isValidCodePoint(number)) {
      throw wrong(literal);
    }
    return number;
  }

  private static ValueFormatException wrong(String literal) {
    return new ValueFormatException("unquote string " + literal + " error invalid syntax");
  }
}
