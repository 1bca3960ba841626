package dev.keelson.schema.conversion;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Edits that several conversions share. {@code null} counts as not set everywhere. */
final class Edits {

  private Edits() {}

  /** The value of a field; null if it is not set. */
  static @Nullable Node set(MapNode object, String field) {
    Node value = object.get(field);
    return value == Null.NULL ? null : value;
  }

  /** The object with a field under another name. */
  static MapNode renamed(MapNode object, String from, String to) {
    Node value = object.get(from);
    return value == null ? object : object.without(from).with(to, value);
  }

  /** The object with the object under {@code field} edited; unchanged if there is none. */
  static MapNode edited(MapNode object, String field, UnaryOperator<MapNode> edit) {
    return object.get(field) instanceof MapNode inner
        ? object.with(field, edit.apply(inner))
        : object;
  }

  /** The object with every object in the list under {@code field} edited. */
  static MapNode editedItems(MapNode object, String field, UnaryOperator<MapNode> edit) {
    if (!(object.get(field) instanceof Node.Items items)) {
      return object;
    }
    List<Node> values =
        items.values().stream()
            .map(item -> item instanceof MapNode map ? edit.apply(map) : item)
            .toList();
    return object.with(field, new Node.Items(values));
  }

  /** An annotation of a whole object; empty if it is not there. */
  static String annotation(MapNode root, String name) {
    return root.map("metadata").map("annotations").text(name);
  }

  static MapNode withAnnotation(MapNode root, String name, String value) {
    return root.withAt(List.of("metadata", "annotations", name), new Text(value));
  }

  static MapNode withoutAnnotation(MapNode root, String name) {
    MapNode metadata = root.map("metadata");
    MapNode annotations = metadata.map("annotations");
    if (!annotations.has(name)) {
      return root;
    }
    MapNode rest = annotations.without(name);
    return root.with(
        "metadata",
        rest.isEmpty() ? metadata.without("annotations") : metadata.with("annotations", rest));
  }

  /**
   * A workload with the selector that the old versions left out: the labels of its pods.
   *
   * @param root a workload in an old version
   */
  static MapNode withSelector(MapNode root) {
    if (!(root.get("spec") instanceof MapNode spec) || set(spec, "selector") != null) {
      return root;
    }
    return spec.at("template", "metadata", "labels") instanceof MapNode labels && !labels.isEmpty()
        ? root.with("spec", spec.with("selector", MapNode.of("matchLabels", labels)))
        : root;
  }

  /** The integer that an annotation is, written as it would be written here; else null. */
  static @Nullable Long number(String text) {
    try {
      long value = Long.parseLong(text);
      return Long.toString(value).equals(text) ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }
}
