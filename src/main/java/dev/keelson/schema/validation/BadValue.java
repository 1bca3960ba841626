package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
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

  private static void append(@Nullable Node value, StringBuilder text) {
    switch (value) {
      case null -> text.append("null");
      case Node.Text string -> GoQuote.append(string.value(), text);
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
          GoQuote.append(map.keyAt(i), text);
          text.append(':');
          append(map.valueAt(i), text);
        }
        text.append('}');
      }
    }
  }
}
