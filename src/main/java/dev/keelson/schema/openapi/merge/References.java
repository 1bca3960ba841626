package dev.keelson.schema.openapi.merge;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The references of a tree: the texts under the key {@code $ref}. */
final class References {

  private static final String KEY = "$ref";

  private References() {}

  /** Calls {@code found} with each reference of a tree, also several times with the same one. */
  static void each(Node tree, Consumer<String> found) {
    switch (tree) {
      case MapNode object ->
          object.forEach(
              (key, value) -> {
                if (key.equals(KEY) && value instanceof Node.Text reference) {
                  found.accept(reference.value());
                } else {
                  each(value, found);
                }
              });
      case Items items -> items.values().forEach(item -> each(item, found));
      case Node.Text _, Node.Int _, Node.Decimal _, Node.Bool _, Node.Null _ -> {}
    }
  }

  /**
   * The tree with other references.
   *
   * @param names the new references by the old ones
   */
  static Node renamed(Node tree, Map<String, String> names) {
    return switch (tree) {
      case MapNode object -> renamed(object, names);
      case Items items -> {
        List<Node> values = new ArrayList<>(items.values().size());
        items.values().forEach(item -> values.add(renamed(item, names)));
        yield new Items(values);
      }
      case Node.Text _, Node.Int _, Node.Decimal _, Node.Bool _, Node.Null _ -> tree;
    };
  }

  /** The same for an object. */
  static MapNode renamed(MapNode object, Map<String, String> names) {
    MapNode.Builder copy = MapNode.builder(object.size());
    object.forEach(
        (key, value) ->
            copy.put(
                key,
                key.equals(KEY) && value instanceof Node.Text reference
                    ? Node.text(names.getOrDefault(reference.value(), reference.value()))
                    : renamed(value, names)));
    return copy.build();
  }
}
