package dev.keelson.schema.patch;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Objects;
import java.util.TreeSet;

/** Values as Go's {@code %v} prints them, which is how Kubernetes' messages show a patch. */
final class GoText {

  /** Messages travel in a Status; a longer value is cut; its beginning identifies it. */
  private static final int MAX_CHARACTERS = 2048;

  private final StringBuilder out = new StringBuilder();

  private GoText() {}

  /** For example {@code map[name:web ports:[map[port:80]]]}. */
  static String of(Node node) {
    GoText text = new GoText();
    text.append(node);
    if (text.full()) {
      text.out.setLength(MAX_CHARACTERS);
      text.out.append(" ...");
    }
    return text.out.toString();
  }

  /** The word that Go's decoder uses for the JSON type of {@code node}. */
  static String jsonType(Node node) {
    return switch (node) {
      case Node.Text _ -> "string";
      case Node.Int _, Node.Decimal _ -> "number";
      case Node.Bool _ -> "bool";
      case Node.Null _ -> "null";
      case Node.Items _ -> "array";
      case MapNode _ -> "object";
    };
  }

  private boolean full() {
    return out.length() > MAX_CHARACTERS;
  }

  private void append(Node node) {
    if (full()) {
      return;
    }
    switch (node) {
      case Node.Text text -> out.append(text.value());
      case Node.Int number -> out.append(number.value());
      case Node.Decimal number -> out.append(number.literal());
      case Node.Bool bool -> out.append(bool.value());
      case Node.Null _ -> out.append("<nil>");
      case Node.Items items -> {
        out.append('[');
        String separator = "";
        for (Node item : items.values()) {
          out.append(separator);
          append(item);
          separator = " ";
        }
        out.append(']');
      }
      case MapNode map -> {
        out.append("map[");
        String separator = "";
        for (String key : new TreeSet<>(map.keys())) {
          out.append(separator).append(key).append(':');
          append(Objects.requireNonNullElse(map.at(key), Node.Null.NULL));
          separator = " ";
        }
        out.append(']');
      }
    }
  }
}
