package dev.keelson.schema.structural;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoFloat;
import dev.keelson.value.GoQuote;
import org.jspecify.annotations.Nullable;

/**
 * Values as the errors of Kubernetes show them ({@code field.Error}): strings quoted, numbers as Go
 * prints them, objects and arrays as the JSON of Go's encoder. Long values are cut.
 */
public final class ShownValue {

  /** Maximum characters; an object of some megabytes can be wrong in many places. */
  private static final int MOST_CHARACTERS = 10_240;

  private final StringBuilder text = new StringBuilder();
  private final int most;

  private ShownValue(int most) {
    this.most = most;
  }

  /** The text for a value; {@code null} for none. */
  public static String of(@Nullable Node value) {
    String shown =
        switch (value) {
          case null -> "null";
          case Node.Text string -> GoQuote.quote(cut(string.value()));
          case Node.Decimal number -> GoFloat.print(Double.parseDouble(number.literal()));
          case Node.Int _, Node.Bool _, Node.Null _, Node.Items _, MapNode _ -> json(value);
        };
    return cut(shown);
  }

  /** A whole value as compact JSON, which two values share only if they are equal. */
  public static String whole(Node value) {
    ShownValue shown = new ShownValue(Integer.MAX_VALUE);
    shown.append(value);
    return shown.text.toString();
  }

  /** The beginning of a value as compact JSON. */
  public static String json(Node value) {
    ShownValue shown = new ShownValue(MOST_CHARACTERS);
    shown.append(value);
    return shown.text.toString();
  }

  private static String cut(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
  }

  private void append(Node value) {
    if (text.length() > most) {
      return;
    }
    switch (value) {
      case Node.Text string -> quoted(string.value());
      case Node.Int number -> text.append(number.value());
      case Node.Decimal number -> text.append(number.literal());
      case Node.Bool bool -> text.append(bool.value());
      case Node.Null _ -> text.append("null");
      case Node.Items items -> {
        text.append('[');
        for (int i = 0; i < items.values().size() && text.length() <= most; i++) {
          text.append(i > 0 ? "," : "");
          append(items.values().get(i));
        }
        text.append(']');
      }
      case MapNode map -> {
        text.append('{');
        for (int i = 0; i < map.size() && text.length() <= most; i++) {
          text.append(i > 0 ? "," : "");
          quoted(map.keyAt(i));
          text.append(':');
          append(map.valueAt(i));
        }
        text.append('}');
      }
    }
  }

  /** A JSON string with the escapes of Go's encoder, which keeps HTML harmless. */
  private void quoted(String string) {
    text.append('"');
    int end = Math.min(string.length(), most);
    for (int i = 0; i < end; i++) {
      char c = string.charAt(i);
      switch (c) {
        case '"' -> text.append("\\\"");
        case '\\' -> text.append("\\\\");
        case '\n' -> text.append("\\n");
        case '\r' -> text.append("\\r");
        case '\t' -> text.append("\\t");
        case '\b' -> text.append("\\b");
        case '\f' -> text.append("\\f");
        default -> {
          boolean escaped =
              c < ' ' || c == '<' || c == '>' || c == '&' || c == 0x2028 || c == 0x2029;
          text.append(escaped ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
      }
    }
    text.append('"');
  }
}
