package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/** A row while it is filled, from left to right. Used by one thread. */
final class Row {

  private static final String NONE = "<none>";

  private final AgeText ages;
  private final List<Node> cells;
  private List<Node> conditions = List.of();

  Row(AgeText ages, int columns) {
    this.ages = ages;
    this.cells = new ArrayList<>(columns);
  }

  List<Node> cells() {
    return cells;
  }

  List<Node> conditions() {
    return conditions;
  }

  Row text(String value) {
    cells.add(Node.text(value));
    return this;
  }

  /** A value as it is. */
  Row value(Node value) {
    cells.add(value);
    return this;
  }

  /** A text, with a word in place of the empty one. */
  Row textOrNone(String value) {
    return text(value.isEmpty() ? NONE : value);
  }

  /** A text, with another word in place of the empty one. */
  Row textOr(String value, String otherwise) {
    return text(value.isEmpty() ? otherwise : value);
  }

  /** An optional text, which may be empty, with a word in place of the absent one. */
  Row pointer(MapNode node, String key, String otherwise) {
    return text(node.has(key) ? node.text(key) : otherwise);
  }

  /** An optional number, with a word in place of the absent one. */
  Row numberOr(MapNode node, String key, String otherwise) {
    cells.add(node.get(key) instanceof Node.Int number ? number : Node.text(otherwise));
    return this;
  }

  Row number(long value) {
    cells.add(new Node.Int(value));
    return this;
  }

  Row bool(boolean value) {
    cells.add(Node.Bool.of(value));
    return this;
  }

  Row name(MapNode object) {
    return text(object.map("metadata").text("name"));
  }

  /** How long ago a time was. */
  Row since(String timestamp) {
    return text(age(timestamp));
  }

  /** The text for how long ago a time was; {@link Ages#UNKNOWN} if it is empty or malformed. */
  String age(String timestamp) {
    return ages.since(timestamp);
  }

  /** How long the object has been there. */
  Row age(MapNode object) {
    return since(object.map("metadata").text("creationTimestamp"));
  }

  /** The containers of a pod template's spec and their images. */
  Row containers(MapNode podSpec) {
    List<Node> containers = podSpec.items("containers");
    return text(Text.joined(containers, "name", ",")).text(Text.joined(containers, "image", ","));
  }

  /** Marks the row of a completed object. */
  void completed(String reason, String message) {
    conditions =
        List.of(
            MapNode.builder(4)
                .put("type", Node.text("Completed"))
                .put("status", Node.text("True"))
                .put("reason", Node.text(reason))
                .put("message", Node.text(message))
                .build());
  }
}
