package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoFloat;
import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Values of custom resources as cells of declared types; JSON null where the value has another
 * type.
 *
 * @param json writes a value as compact JSON in UTF-8
 */
record CustomCells(Function<Node, byte[]> json) {

  private static final String NO_VALUE = "<no value>";
  private static final String INVALID = "<invalid>";
  private static final String NEVER = "0001-01-01T00:00:00Z";

  /**
   * The cell of a value.
   *
   * @param type the type of the column
   * @param row gives the ages
   */
  Node cell(String type, Node value, Row row) {
    return switch (type) {
      case "string" -> Node.text(text(value));
      case "integer" -> integer(value);
      case "number" -> number(value);
      case "boolean" -> value instanceof Node.Bool ? value : Node.Null.NULL;
      case "date" -> value instanceof Node.Text(String time) ? date(time, row) : Node.Null.NULL;
      default -> Node.Null.NULL;
    };
  }

  private static Node integer(Node value) {
    return switch (value) {
      case Node.Int number -> number;
      case Node.Decimal number -> new Node.Int((long) Double.parseDouble(number.literal()));
      case Node.Text _, Node.Bool _, Node.Null _, Items _, MapNode _ -> Node.Null.NULL;
    };
  }

  private static Node number(Node value) {
    return switch (value) {
      case Node.Int number -> decimal((double) number.value());
      case Node.Decimal number -> decimal(Double.parseDouble(number.literal()));
      case Node.Text _, Node.Bool _, Node.Null _, Items _, MapNode _ -> Node.Null.NULL;
    };
  }

  private static Node decimal(double value) {
    return Double.isInfinite(value) ? Node.Null.NULL : new Node.Decimal(GoFloat.json(value));
  }

  private static Node date(String time, Row row) {
    if (time.isEmpty() || time.equals("null") || time.equals(NEVER)) {
      return Node.text(Ages.UNKNOWN);
    }
    try {
      Timestamp unused = Timestamp.parse(time);
    } catch (ValueFormatException noTime) {
      return Node.text(INVALID);
    }
    return Node.text(row.age(time));
  }

  private String text(Node value) {
    return switch (value) {
      case Node.Text text -> text.value();
      case Node.Int number -> Long.toString(number.value());
      case Node.Decimal number -> GoFloat.print(Double.parseDouble(number.literal()));
      case Node.Bool bool -> Boolean.toString(bool.value());
      case Node.Null _ -> NO_VALUE;
      case Items _, MapNode _ -> new String(json.apply(ordered(value)), StandardCharsets.UTF_8);
    };
  }

  /** The same value with sorted keys, as Go writes maps. */
  private static Node ordered(Node value) {
    return switch (value) {
      case Items items -> new Items(items.values().stream().map(CustomCells::ordered).toList());
      case MapNode map -> {
        Map<String, Node> sorted = new TreeMap<>();
        map.forEach((key, inner) -> sorted.put(key, ordered(inner)));
        yield MapNode.copyOf(sorted);
      }
      case Node.Decimal number -> decimal(Double.parseDouble(number.literal()));
      case Node.Text _, Node.Int _, Node.Bool _, Node.Null _ -> value;
    };
  }
}
