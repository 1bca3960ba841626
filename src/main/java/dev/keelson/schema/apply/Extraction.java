package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.ListOf;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Extracts the set of fields of an object (source: structured-merge-diff, ToFieldSet). */
final class Extraction {

  private Extraction() {}

  /** The fields that {@code object} has. */
  static FieldSet of(SchemaNode schema, MapNode object) {
    SetBuilder set = new SetBuilder();
    map(schema, object, set);
    return new FieldSet(set.build());
  }

  private static void value(SchemaNode schema, Node value, SetBuilder at) {
    switch (Shapes.kind(schema, value, value)) {
      case LEAF -> at.add();
      case MAP -> {
        if (value instanceof MapNode map) {
          map(schema, map, at);
        }
      }
      case LIST -> {
        if (value instanceof Node.Items items) {
          list(Shapes.list(schema), items.values(), at);
        }
      }
    }
  }

  private static void map(SchemaNode schema, MapNode map, SetBuilder at) {
    for (int i = 0; i < map.size(); i++) {
      String key = map.keyAt(i);
      Node child = map.valueAt(i);
      SetBuilder below = at.child(PathElement.field(key));
      value(Shapes.field(schema, key), child, below);
      boolean empty =
          child == Node.Null.NULL || (child instanceof MapNode inner && inner.isEmpty());
      if (empty || !Shapes.declares(schema, key)) {
        below.add();
      }
    }
  }

  private static void list(ListOf schema, List<Node> items, SetBuilder at) {
    Set<String> names = new HashSet<>();
    for (Node item : items) {
      String name = Shapes.item(schema, item);
      SetBuilder below = at.child(name);
      if (names.add(name)) {
        value(schema.element(), item, below);
      }
      below.add();
    }
  }
}
