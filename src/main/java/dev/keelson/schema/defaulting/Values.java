package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Small edits that many rules need. {@code null} counts as not set everywhere. */
final class Values {

  private Values() {}

  static boolean isSet(MapNode struct, String field) {
    Node value = struct.get(field);
    return value != null && value != Node.Null.NULL;
  }

  /** Whether a string that cannot tell "not set" from empty has a value. */
  static boolean hasText(MapNode struct, String field) {
    return !struct.text(field).isEmpty();
  }

  /** The text of a field, or what it becomes if it has none. */
  static String text(MapNode struct, String field, String fallback) {
    String text = struct.text(field);
    return text.isEmpty() ? fallback : text;
  }

  static MapNode ifUnset(MapNode struct, String field, Node value) {
    return isSet(struct, field) ? struct : struct.with(field, value);
  }

  static MapNode ifUnset(MapNode struct, String field, long value) {
    return ifUnset(struct, field, new Node.Int(value));
  }

  static MapNode ifNoText(MapNode struct, String field, String value) {
    return hasText(struct, field) ? struct : struct.with(field, Node.text(value));
  }

  /** The struct with the object under {@code field} edited, which may be missing. */
  static MapNode edited(MapNode struct, String field, UnaryOperator<MapNode> edit) {
    MapNode old = struct.map(field);
    MapNode next = edit.apply(old);
    return next == old ? struct : struct.with(field, next);
  }

  /** The struct with every object in the list under {@code field} edited. */
  static MapNode editedItems(MapNode struct, String field, UnaryOperator<MapNode> edit) {
    if (!(struct.get(field) instanceof Node.Items items) || items.values().isEmpty()) {
      return struct;
    }
    List<Node> next = new ArrayList<>(items.values().size());
    boolean same = true;
    for (Node item : items.values()) {
      Node edited = item instanceof MapNode map ? edit.apply(map) : item;
      same &= edited == item;
      next.add(edited);
    }
    return same ? struct : struct.with(field, new Node.Items(next));
  }

  /** {@code target} with those entries of {@code source} that it lacks. */
  static MapNode filledFrom(MapNode target, MapNode source) {
    MapNode.Builder filled = null;
    for (int i = 0; i < source.size(); i++) {
      if (!target.has(source.keyAt(i))) {
        filled = filled == null ? target.toBuilder() : filled;
        filled.put(source.keyAt(i), source.valueAt(i));
      }
    }
    return filled == null ? target : filled.build();
  }
}
