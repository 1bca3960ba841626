package dev.keelson.object;

import java.util.ArrayList;
import java.util.List;

/**
 * A JSON value. Immutable; equality is by value, and for objects it ignores the order of keys.
 *
 * <p>Strings also stand for times, quantities, durations and base64 bytes: they are kept as
 * written.
 */
public sealed interface Node
    permits Node.Text, Node.Int, Node.Decimal, Node.Bool, Node.Null, Node.Items, MapNode {

  /** A JSON string. */
  record Text(String value) implements Node {}

  /** A JSON number that is a 64-bit integer. */
  record Int(long value) implements Node {}

  /**
   * A JSON number that is no 64-bit integer, kept as it was written.
   *
   * @param literal a number in JSON's grammar
   */
  record Decimal(String literal) implements Node {}

  /** {@code true} or {@code false}. */
  enum Bool implements Node {
    TRUE,
    FALSE;

    /** The instance for {@code value}. */
    public static Bool of(boolean value) {
      return value ? TRUE : FALSE;
    }

    /** The boolean that this stands for. */
    public boolean value() {
      return this == TRUE;
    }
  }

  /** {@code null}; only inside values that the schema leaves free, since typed fields drop it. */
  enum Null implements Node {
    NULL
  }

  /** A JSON array. */
  record Items(List<Node> values) implements Node {
    /** The empty array. */
    public static final Items EMPTY = new Items(List.of());

    public Items {
      values = List.copyOf(values);
    }
  }

  /** Those of {@code items} that are objects, in order. */
  static List<MapNode> maps(List<Node> items) {
    List<MapNode> maps = new ArrayList<>(items.size());
    for (Node item : items) {
      if (item instanceof MapNode map) {
        maps.add(map);
      }
    }
    return maps;
  }

  /** A string value. */
  static Text text(String value) {
    return new Text(value);
  }

  /** An array of strings. */
  static Items texts(List<String> values) {
    return new Items(values.stream().<Node>map(Text::new).toList());
  }
}
