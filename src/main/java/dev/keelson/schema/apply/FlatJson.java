package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import java.util.Map;
import java.util.TreeMap;

/** The JSON inside path elements: scalars, and objects of scalars. */
final class FlatJson {

  private final String text;
  private int at;

  private FlatJson(String text) {
    this.text = text;
  }

  /**
   * Reads an object of scalars, sorted by name. What is behind it is ignored, as
   * structured-merge-diff does.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Map<String, Node> object(String text) {
    FlatJson in = new FlatJson(text);
    Map<String, Node> entries = new TreeMap<>();
    in.expect('{');
    if (in.peek() != '}') {
      do {
        String name = in.string();
        in.expect(':');
        entries.put(name, in.scalar());
      } while (in.took(','));
    }
    in.expect('}');
    return entries;
  }

  /**
   * Reads a scalar. What is behind it is ignored.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Node value(String text) {
    return new FlatJson(text).scalar();
  }

  /** A scalar as JSON. */
  static String text(Node scalar) {
    StringBuilder out = new StringBuilder();
    scalar(scalar, out);
    return out.toString();
  }

  static void scalar(Node scalar, StringBuilder out) {
    switch (scalar) {
      case Node.Text text -> quote(text.value(), out);
      case Node.Int number -> out.append(number.value());
      case Node.Decimal number -> out.append(number.literal());
      case Node.Bool bool -> out.append(bool.value());
      default -> out.append("null");
    }
  }

  static void quote(String value, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (c < ' ') {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private Node scalar() {
    if (peek() == '"') {
      return Node.text(string());
    }
    int start = at;
    while (at < text.length() && ",}] \t\r\n".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String word = text.substring(start, at);
    return switch (word) {
      case "true" -> Node.Bool.TRUE;
      case "false" -> Node.Bool.FALSE;
      case "null" -> Node.Null.NULL;
      default -> number(word);
    };
  }

  private static Node number(String word) {
    try {
      return new Node.Int(Long.parseLong(word));
    } catch (NumberFormatException _) {
      // the JDK takes more than JSON does, for example "1f"
      if (!word.matches("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
        throw new IllegalArgumentException("no JSON scalar: " + word);
      }
      return new Node.Decimal(word);
    }
  }

  private String string() {
    expect('"');
    StringBuilder value = new StringBuilder();
    while (true) {
      char c = next();
      if (c == '"') {
        return value.toString();
      }
      value.append(c == '\\' ? escaped() : c);
    }
  }

  private char escaped() {
    char c = next();
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        if (at + 4 > text.length()) {
          throw new IllegalArgumentException("JSON ends in an escape");
        }
        at += 4;
        yield (char) Integer.parseInt(text.substring(at - 4, at), 16);
      }
      default -> throw new IllegalArgumentException("no JSON escape: " + c);
    };
  }

  private char next() {
    if (at >= text.length()) {
      throw new IllegalArgumentException("JSON ends early");
    }
    return text.charAt(at++);
  }

  private char peek() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at >= text.length()) {
      throw new IllegalArgumentException("JSON ends early");
    }
    return text.charAt(at);
  }

  private boolean took(char c) {
    if (peek() != c) {
      return false;
    }
    at++;
    peek();
    return true;
  }

  private void expect(char c) {
    if (peek() != c) {
      throw new IllegalArgumentException("JSON has " + text.charAt(at) + " instead of " + c);
    }
    at++;
  }
}
