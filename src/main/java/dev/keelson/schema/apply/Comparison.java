package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResetFields.FieldFilter;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields that differ between two states of an object (source: structured-merge-diff, Compare).
 * Duplicates in a list whose items have keys, which only old objects have, count as one item.
 *
 * @param added fields that were not there
 * @param modified fields with another value
 * @param removed fields that are gone
 */
public record Comparison(FieldSet added, FieldSet modified, FieldSet removed) {

  /** Compares two trees of a type in one walk over both; shared subtrees are skipped. */
  public static Comparison of(SchemaNode schema, MapNode before, MapNode after) {
    Place top = new Place(null, "", Step.FIELD);
    compare(schema, before, after, top);
    return new Comparison(built(top.added), built(top.modified), built(top.removed));
  }

  /** Whether the states are equal. */
  public boolean isEmpty() {
    return added.isEmpty() && modified.isEmpty() && removed.isEmpty();
  }

  /** The fields that the next state gives a value. */
  public FieldSet set() {
    return modified.union(added);
  }

  /** The fields that pass a filter. */
  Comparison filtered(FieldFilter filter) {
    return filter == FieldFilter.ALL
        ? this
        : new Comparison(
            added.filtered(filter), modified.filtered(filter), removed.filtered(filter));
  }

  private static FieldSet built(@Nullable SetBuilder set) {
    return set == null ? FieldSet.EMPTY : new FieldSet(set.build());
  }

  /** The kind of a path step. */
  private enum Step {
    /** A field or the key of a map. */
    FIELD,
    /** The element of a path that names an item. */
    ITEM
  }

  /**
   * A place in both trees, which is added to a set only when it or a place below differs. Most are
   * never added, so the path element is created on demand.
   */
  private static final class Place {
    private final @Nullable Place parent;
    private final String name;
    private final Step step;
    private @Nullable SetBuilder added;
    private @Nullable SetBuilder modified;
    private @Nullable SetBuilder removed;

    Place(@Nullable Place parent, String name, Step step) {
      this.parent = parent;
      this.name = name;
      this.step = step;
    }

    private String element() {
      return step == Step.FIELD ? PathElement.field(name) : name;
    }

    SetBuilder added() {
      SetBuilder known = added;
      if (known == null) {
        known = parent == null ? new SetBuilder() : parent.added().child(element());
        added = known;
      }
      return known;
    }

    SetBuilder modified() {
      SetBuilder known = modified;
      if (known == null) {
        known = parent == null ? new SetBuilder() : parent.modified().child(element());
        modified = known;
      }
      return known;
    }

    SetBuilder removed() {
      SetBuilder known = removed;
      if (known == null) {
        known = parent == null ? new SetBuilder() : parent.removed().child(element());
        removed = known;
      }
      return known;
    }
  }

  /** At least one of the two is there. */
  private static void compare(
      SchemaNode schema, @Nullable Node before, @Nullable Node after, Place at) {
    if (before == after) {
      return;
    }
    Turn.pass();
    switch (Shapes.kind(schema, before, after)) {
      case LEAF -> {
        leaf(before, after, at);
        keysOfUntyped(schema, before, after, at);
      }
      case MAP -> {
        MapNode old = before instanceof MapNode map ? map : MapNode.EMPTY;
        MapNode young = after instanceof MapNode map ? map : MapNode.EMPTY;
        if (old.isEmpty() && young.isEmpty()) {
          leaf(before, after, at);
          return;
        }
        maps(schema, before instanceof MapNode, old, after instanceof MapNode, young, at);
        presence(before, after, at);
      }
      case LIST -> {
        List<Node> old = before instanceof Node.Items items ? items.values() : List.of();
        List<Node> young = after instanceof Node.Items items ? items.values() : List.of();
        if (old.isEmpty() && young.isEmpty()) {
          leaf(before, after, at);
          return;
        }
        if (!old.equals(young)) {
          lists(Shapes.list(schema), old, young, at);
        }
        presence(before, after, at);
      }
    }
  }

  private static void leaf(@Nullable Node before, @Nullable Node after, Place at) {
    if (before == null) {
      at.added().add();
    } else if (after == null) {
      at.removed().add();
    } else if (!before.equals(after)) {
      at.modified().add();
    }
  }

  /**
   * Where an untyped object takes the place of a value that is none, or gives way to one, its keys
   * are added or removed as well.
   */
  private static void keysOfUntyped(
      SchemaNode schema, @Nullable Node before, @Nullable Node after, Place at) {
    boolean was = before instanceof MapNode;
    boolean is = after instanceof MapNode;
    if (was != is && Shapes.kind(schema, null, was ? before : after) == Shapes.Kind.MAP) {
      MapNode old = before instanceof MapNode map ? map : MapNode.EMPTY;
      MapNode young = after instanceof MapNode map ? map : MapNode.EMPTY;
      maps(schema, was, old, is, young, at);
    }
  }

  private static void presence(@Nullable Node before, @Nullable Node after, Place at) {
    if (before == null) {
      at.added().add();
    } else if (after == null) {
      at.removed().add();
    }
  }

  /** A present object has the fields that its type always has; an absent one has none. */
  private static void maps(
      SchemaNode schema,
      boolean hadBefore,
      MapNode before,
      boolean hasAfter,
      MapNode after,
      Place at) {
    for (int i = 0; i < after.size(); i++) {
      String key = after.keyAt(i);
      Node now = after.valueAt(i);
      Node was = before.get(key);
      if (was != now) {
        compare(
            Shapes.field(schema, key),
            was == null && hadBefore ? Shapes.unset(schema, key) : was,
            now,
            new Place(at, key, Step.FIELD));
      }
    }
    for (int i = 0; i < before.size(); i++) {
      String key = before.keyAt(i);
      if (!after.has(key)) {
        compare(
            Shapes.field(schema, key),
            before.valueAt(i),
            hasAfter ? Shapes.unset(schema, key) : null,
            new Place(at, key, Step.FIELD));
      }
    }
  }

  private static void lists(ListOf schema, List<Node> before, List<Node> after, Place at) {
    Map<String, List<Node>> old = indexed(schema, before);
    Map<String, List<Node>> young = indexed(schema, after);
    young.forEach((item, now) -> items(schema, item, old.getOrDefault(item, List.of()), now, at));
    old.forEach(
        (item, was) -> {
          if (!young.containsKey(item)) {
            items(schema, item, was, List.of(), at);
          }
        });
  }

  /** The items of one name, which should be no more than one on either side. */
  private static void items(
      ListOf schema, String item, List<Node> before, List<Node> after, Place list) {
    Place at = new Place(list, item, Step.ITEM);
    Node was = before.isEmpty() ? null : before.getFirst();
    Node now = after.isEmpty() ? null : after.getFirst();
    if (before.size() <= 1 && after.size() <= 1) {
      compare(schema.element(), was, now, at);
    } else if (before.size() > 1 && after.size() > 1) {
      if (!before.equals(after)) {
        at.modified().add();
      }
    } else if (before.size() > 1) {
      if (now != null) {
        compare(schema.element(), null, now, at);
      }
      at.removed().add();
    } else {
      if (was != null) {
        compare(schema.element(), was, null, at);
      }
      at.added().add();
    }
  }

  private static Map<String, List<Node>> indexed(ListOf schema, List<Node> items) {
    Map<String, List<Node>> byName = LinkedHashMap.newLinkedHashMap(items.size());
    for (Node item : items) {
      String name = Shapes.item(schema, item);
      List<Node> same = byName.putIfAbsent(name, List.of(item));
      if (same != null && same.size() == 1) {
        same = new ArrayList<>(same);
        byName.put(name, same);
      }
      if (same != null) {
        same.add(item);
      }
    }
    return byName;
  }
}
