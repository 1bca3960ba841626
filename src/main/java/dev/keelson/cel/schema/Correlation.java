package dev.keelson.cel.schema;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode.ListType;
import dev.keelson.schema.StructuralSchema;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of an update and what it was before, to tell whether a failed rule is about an unchanged
 * part (source: Kubernetes' apiserver/pkg/cel/common, CorrelatedObject). Where the old value is not
 * known, the nearest ancestor for which it is decides. Used by one thread.
 */
final class Correlation {

  /** A create, or a part whose old value cannot be told: nothing is unchanged. */
  static final Correlation NONE = new Correlation(null, null, null);

  private final @Nullable Node value;
  private final @Nullable Node old;

  /** The nearest ancestor that has an old value. */
  private final @Nullable Correlation parent;

  private @Nullable Boolean unchanged;

  private Correlation(@Nullable Node value, @Nullable Node old, @Nullable Correlation parent) {
    this.value = value;
    this.old = old;
    this.parent = parent;
  }

  /** The root of an update; old is null for a create. */
  static Correlation of(Node value, @Nullable Node old) {
    return old == null ? NONE : new Correlation(value, old, null);
  }

  /** Whether a rule that fails here fails for a value that the update does not change. */
  boolean isUnchanged() {
    if (old == null || value == null) {
      return parent != null && parent.isUnchanged();
    }
    Boolean known = unchanged;
    if (known == null) {
      known = value.equals(old);
      unchanged = known;
    }
    return known;
  }

  /** For rules of {@code allOf}: only the ancestor counts. */
  Correlation ofAllOf() {
    return old == null ? this : new Correlation(null, null, parent);
  }

  /** The field or entry {@code key}. */
  Correlation key(String key) {
    if (old == null) {
      return this;
    }
    boolean type = key.equals("apiVersion") || key.equals("kind");
    if (parent == null && type) {
      // both objects are converted to the same type, so a change of it is not visible
      return NONE;
    }
    Node now = value instanceof MapNode map ? map.get(key) : null;
    Node before = old instanceof MapNode map ? map.get(key) : null;
    return now == null || before == null
        ? new Correlation(null, null, this)
        : new Correlation(now, before, this);
  }

  /**
   * The element of a list.
   *
   * @param before its old value; null if it is not known
   */
  Correlation element(Node item, @Nullable Node before) {
    return old == null ? this : new Correlation(before == null ? null : item, before, this);
  }

  /** The elements of a list of type map by their keys; the others cannot be found again. */
  static final class OldItems {
    private final List<String> keys;
    private final Map<Node, Node> items = new HashMap<>();

    OldItems(StructuralSchema schema, @Nullable Node old) {
      this.keys = schema.listType() == ListType.MAP ? schema.mapKeys() : List.of();
      if (old instanceof Items list && !keys.isEmpty()) {
        for (Node item : list.values()) {
          items.put(key(item), item);
        }
      }
    }

    /** The old value of an element; null if there is none. */
    @Nullable Node of(Node item) {
      return items.isEmpty() ? null : items.get(key(item));
    }

    private Node key(Node item) {
      List<Node> key = new ArrayList<>(keys.size());
      for (String name : keys) {
        Node part = item instanceof MapNode map ? map.get(name) : null;
        key.add(part == null ? Node.Null.NULL : part);
      }
      return new Items(key);
    }
  }
}
