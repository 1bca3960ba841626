package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.ListOf;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes fields from an object (source: structured-merge-diff, RemoveItems). Containers that
 * become empty are removed as well.
 */
final class Removal {

  private Removal() {}

  /** The object without the members of {@code fields} and what is below them. */
  static MapNode of(SchemaNode schema, MapNode object, FieldSet fields) {
    return fields.isEmpty() ? object : map(schema, object, fields.tree());
  }

  private static Node value(SchemaNode schema, Node value, MapNode fields) {
    return switch (Shapes.kind(schema, value, value)) {
      case LEAF -> Node.Null.NULL;
      case MAP -> value instanceof MapNode map ? map(schema, map, fields) : value;
      case LIST ->
          value instanceof Node.Items items
              ? list(Shapes.list(schema), items.values(), fields)
              : value;
    };
  }

  private static MapNode map(SchemaNode schema, MapNode map, MapNode fields) {
    MapNode.Builder kept = MapNode.builder(map.size());
    for (int i = 0; i < map.size(); i++) {
      String key = map.keyAt(i);
      Node child = map.valueAt(i);
      Node rest = child;
      if (fields.get(PathElement.field(key)) instanceof MapNode below) {
        rest =
            FieldSet.isMember(below)
                ? Node.Null.NULL
                : value(Shapes.field(schema, key), child, below);
        if (isEmpty(rest)) {
          continue;
        }
      }
      kept.put(key, rest);
    }
    return kept.build();
  }

  private static Node list(ListOf schema, List<Node> items, MapNode fields) {
    List<Node> kept = new ArrayList<>(items.size());
    for (Node item : items) {
      if (!(fields.get(Shapes.item(schema, item)) instanceof MapNode below)) {
        kept.add(item);
      } else if (!FieldSet.isMember(below)) {
        kept.add(value(schema.element(), item, below));
      }
    }
    return new Node.Items(kept);
  }

  private static boolean isEmpty(Node node) {
    return switch (node) {
      case MapNode map -> map.isEmpty();
      case Node.Items items -> items.values().isEmpty();
      case Node.Null _ -> true;
      default -> false;
    };
  }
}
