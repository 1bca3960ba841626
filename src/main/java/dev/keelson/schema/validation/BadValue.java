package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import org.jspecify.annotations.Nullable;

/** Values as messages show them: strings in quotes, everything else as compact JSON. */
public final class BadValue {
  private BadValue() {}

  /** The text for {@code value}; {@code null} for none. */
  public static String of(@Nullable Node value) {
    StringBuilder text = new StringBuilder();
    append(value, text);
    return text.toString();
  }

  /** {@code value} in double quotes, with escapes. */
  public static String quoted(String value) {
    StringBuilder text = new StringBuilder(value.length() + 2);
    append(value, text);
    return text.toString();
  }

  private static void append(@Nullable Node value, StringBuilder text) {
    switch (value) {
      case null -> text.append("null");
      case Node.Text string -> append(string.value(), text);
      case Node.Int number -> text.append(number.value());
      case Node.Decimal number -> text.append(number.literal());
      case Node.Bool bool -> text.append(bool.value());
      case Node.Null _ -> text.append("null");
      case Node.Items items -> {
        text.append('[');
        for (int i = 0; i < items.values().size(); i++) {
          text.append(i > 0 ? "," : "");
          append(items.values().get(i), text);
        }
        text.append(']');
      }
      case MapNode map -> {
        text.append('{');
        for (int i = 0; i < map.size(); i++) {
          text.append(i > 0 ? "," : "");
          append(map.keyAt(i), text);
          text.append(':');
          append(map.valueAt(i), text);
        }
        text.append('}');
      }
    }
  }

  private static void append(String value, StringBuilder text) {
    text.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        default -> {
          if (c < 0x20 || c == 0x7f) {
            text.append("\\x").append(Character.forDigit(c >> 4, 16));
            text.append(Character.forDigit(c & 15, 16));
          } else {
            text.append(c);
          }
        }
      }
    }
    text.append('"');
  }
}
