package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.ListOf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges an applied configuration into an object: its values replace those of the object, absent
 * fields stay (source: structured-merge-diff, Merge). Items of lists with keys are matched by them
 * and come in the order of the configuration; the object's other items keep their places between
 * those that both have.
 */
final class Merge {

  private Merge() {}

  /** The merged object. */
  static MapNode of(SchemaNode schema, MapNode live, MapNode applied) {
    return maps(schema, live, applied);
  }

  private static Node value(SchemaNode schema, @Nullable Node live, Node applied) {
    if (live == null) {
      return applied;
    }
    return switch (Shapes.kind(schema, live, applied)) {
      case LEAF -> applied;
      case MAP -> {
        MapNode old = live instanceof MapNode map ? map : MapNode.EMPTY;
        MapNode young = applied instanceof MapNode map ? map : MapNode.EMPTY;
        yield old.isEmpty() && young.isEmpty() ? applied : maps(schema, old, young);
      }
      case LIST -> {
        List<Node> old = live instanceof Node.Items items ? items.values() : List.of();
        List<Node> young = applied instanceof Node.Items items ? items.values() : List.of();
        yield old.isEmpty() && young.isEmpty()
            ? applied
            : new Node.Items(lists(Shapes.list(schema), old, young));
      }
    };
  }

  private static MapNode maps(SchemaNode schema, MapNode live, MapNode applied) {
    MapNode.Builder out = MapNode.builder(live.size() + applied.size());
    for (int i = 0; i < live.size(); i++) {
      String key = live.keyAt(i);
      Node over = applied.get(key);
      out.put(
          key,
          over == null ? live.valueAt(i) : value(Shapes.field(schema, key), live.valueAt(i), over));
    }
    for (int i = 0; i < applied.size(); i++) {
      if (!live.has(applied.keyAt(i))) {
        out.put(applied.keyAt(i), applied.valueAt(i));
      }
    }
    return out.build();
  }

  private static List<Node> lists(ListOf schema, List<Node> live, List<Node> applied) {
    List<String> oldNames = names(schema, live);
    List<String> newNames = names(schema, applied);
    Map<String, @Nullable Node> old = new HashMap<>();
    for (int i = 0; i < live.size(); i++) {
      // a duplicate item cannot be merged: it is replaced
      old.put(oldNames.get(i), old.containsKey(oldNames.get(i)) ? null : live.get(i));
    }
    Set<String> wanted = new HashSet<>(newNames);
    Deque<String> shared = new ArrayDeque<>();
    newNames.stream().filter(old::containsKey).forEach(shared::add);
    Set<String> merged = new HashSet<>();
    List<Node> out = new ArrayList<>(live.size() + applied.size());
    int l = 0;
    int r = 0;
    while (l < live.size() || r < applied.size()) {
      if (l < live.size() && r < applied.size()) {
        String name = oldNames.get(l);
        if (name.equals(newNames.get(r))) {
          merged.add(name);
          out.add(value(schema.element(), old.get(name), applied.get(r)));
          l++;
          r++;
          shared.poll();
          continue;
        }
        if (wanted.contains(name) && !shared.isEmpty() && !shared.peek().equals(name)) {
          // in both, but its turn comes later
          l++;
          continue;
        }
      }
      if (l < live.size()) {
        String name = oldNames.get(l);
        if (!wanted.contains(name)) {
          out.add(live.get(l++));
          continue;
        }
        if (merged.contains(name)) {
          l++;
        }
      }
      if (r < applied.size()) {
        String name = newNames.get(r);
        merged.add(name);
        out.add(value(schema.element(), old.get(name), applied.get(r)));
        r++;
        if (name.equals(shared.peek())) {
          shared.poll();
        }
      }
    }
    return out;
  }

  private static List<String> names(ListOf schema, List<Node> items) {
    return items.stream().map(item -> Shapes.item(schema, item)).toList();
  }
}
