package dev.keelson.value;

import java.util.BitSet;

/**
 * Checks that bytes are JSON, and tells in the words of Go's {@code encoding/json} what is wrong.
 * Works in one pass, without recursion and without building values.
 */
public final class JsonSyntax {

  private static final int DEEPEST = 10_000;
  private static final int END = -1;
  private static final String VALUE = "looking for beginning of value";
  private static final String KEY = "looking for beginning of object key string";

  private final byte[] json;
  private final BitSet objects = new BitSet();
  private int depth;
  private int position;

  private JsonSyntax(byte[] json) {
    this.json = json;
  }

  /** What is wrong with {@code json}, empty if it is JSON. */
  public static String problem(byte[] json) {
    try {
      new JsonSyntax(json).document();
      return "";
    } catch (Malformed e) {
      return e.problem;
    }
  }

  private void document() throws Malformed {
    value(VALUE);
    while (depth > 0) {
      boolean object = objects.get(depth);
      int next = token();
      if (next == (object ? '}' : ']')) {
        depth--;
      } else if (next == ',') {
        if (object) {
          key(token());
        }
        value(VALUE);
      } else {
        throw wrong(next, object ? "after object key:value pair" : "after array element");
      }
    }
    int rest = token();
    if (rest != END) {
      throw wrong(rest, "after top-level value");
    }
  }

  /** Reads values until one is complete, or a container that is not empty has begun. */
  private void value(String expected) throws Malformed {
    int first = token();
    while (first == '{' || first == '[') {
      if (++depth > DEEPEST) {
        throw new Malformed("exceeded max depth");
      }
      objects.set(depth, first == '{');
      int next = token();
      if (next == (first == '{' ? '}' : ']')) {
        depth--;
        return;
      }
      if (first == '{') {
        key(next);
        next = token();
      }
      first = next;
    }
    switch (first) {
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number(first);
      default -> throw wrong(first, expected);
    }
  }

  private void key(int first) throws Malformed {
    if (first != '"') {
      throw wrong(first, KEY);
    }
    string();
    int colon = token();
    if (colon != ':') {
      throw wrong(colon, "after object key");
    }
  }

  private void string() throws Malformed {
    int next = read();
    while (next != '"') {
      if (next < ' ') {
        throw wrong(next, "in string literal");
      }
      if (next == '\\') {
        escape(read());
      }
      next = read();
    }
  }

  private void escape(int code) throws Malformed {
    if (code == 'u') {
      for (int i = 0; i < 4; i++) {
        int digit = read();
        if (Character.digit(digit, 16) < 0) {
          throw wrong(digit, "in \\u hexadecimal character escape");
        }
      }
    } else if (code == END || "\"\\/bfnrt".indexOf(code) < 0) {
      throw wrong(code, "in string escape code");
    }
  }

  private void literal(String word) throws Malformed {
    for (int i = 1; i < word.length(); i++) {
      int next = read();
      if (next != word.charAt(i)) {
        throw wrong(next, "in literal " + word + " (expecting '" + word.charAt(i) + "')");
      }
    }
  }

  private void number(int first) throws Malformed {
    int digit = first == '-' ? read() : first;
    if (!isDigit(digit)) {
      throw wrong(digit, "in numeric literal");
    }
    if (digit != '0') {
      digits();
    }
    if (peek() == '.') {
      position++;
      needDigit(read(), "after decimal point in numeric literal");
    }
    if (peek() == 'e' || peek() == 'E') {
      position++;
      int next = read();
      needDigit(next == '+' || next == '-' ? read() : next, "in exponent of numeric literal");
    }
  }

  private void needDigit(int next, String where) throws Malformed {
    if (!isDigit(next)) {
      throw wrong(next, where);
    }
    digits();
  }

  private void digits() {
    while (isDigit(peek())) {
      position++;
    }
  }

  private static boolean isDigit(int next) {
    return next >= '0' && next <= '9';
  }

  private int token() {
    int next = read();
    while (next == ' ' || next == '\t' || next == '\r' || next == '\n') {
      next = read();
    }
    return next;
  }

  private int peek() {
    return position < json.length ? json[position] & 0xFF : END;
  }

  private int read() {
    int next = peek();
    position++;
    return next;
  }

  private static Malformed wrong(int found, String where) {
    return new Malformed(
        found == END
            ? "unexpected end of JSON input"
            : "invalid character " + quoted(found) + " " + where);
  }

  /** One byte as Go quotes it. */
  private static String quoted(int found) {
    return switch (found) {
      case '\'' -> "'\\''";
      case '\\' -> "'\\\\'";
      case '\n' -> "'\\n'";
      case '\r' -> "'\\r'";
      case '\t' -> "'\\t'";
      default ->
          found < ' ' || found == 0x7F
              ? String.format(java.util.Locale.ROOT, "'\\x%02x'", found)
              : "'" + (char) found + "'";
    };
  }

  /** The bytes are no JSON. */
  private static final class Malformed extends Exception {

    private static final long serialVersionUID = 1L;

    private final String problem;

    Malformed(String problem) {
      super(problem, null, false, false);
      this.problem = problem;
    }
  }
}
