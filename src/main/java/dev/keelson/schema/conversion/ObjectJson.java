package dev.keelson.schema.conversion;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Optional;

/** Reads and writes JSON in strings of objects, and types it by the schema. */
public interface ObjectJson {

  /** Compact JSON. */
  String write(Node value);

  /** The value that {@code json} is; empty if it is no JSON. */
  Optional<Node> read(String json);

  /**
   * The tree as an object of a kind, in canonical form; empty if a value has not the type of its
   * field.
   *
   * @throws IllegalArgumentException if the kind is not served
   */
  Optional<MapNode> typed(MapNode tree, GroupVersionKind kind);
}
