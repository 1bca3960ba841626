package dev.keelson.schema.patch;

import dev.keelson.object.GoText;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.schema.SchemaNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Merges lists of objects by their merge key, and lists of scalars.
 *
 * <p>The order of the result is that of apimachinery's strategicpatch: what the patch names comes
 * in the order of the patch, what it does not name in the order of the object, and where the two
 * meet the object's order decides. So an element that the object did not have stands before those
 * that the patch does not name; clients that want it elsewhere send an order.
 *
 * @param element the shape of the elements
 * @param key the merge key; empty for scalars
 * @param objects how elements are merged that are objects
 */
record ListMerge(SchemaNode element, String key, ObjectMerge objects) {

  /** Go's stable sort inserts one by one up to this number of elements. */
  private static final int MOST_INSERTED = 20;

  /** Merges a patch into one element that is an object. */
  @FunctionalInterface
  interface ObjectMerge {
    MapNode merge(MapNode original, MapNode patch, SchemaNode type);
  }

  /** {@code original} with {@code patch} merged into it. */
  List<Node> merge(List<Node> original, List<Node> patch) {
    if (original.isEmpty() && patch.isEmpty()) {
      return original;
    }
    checkElements(original, patch);
    if (key.isEmpty()) {
      Set<Node> both = new LinkedHashSet<>(original);
      both.addAll(patch);
      return arranged(new ArrayList<>(both), patch, original);
    }
    Elements split = split(patch);
    if (split.replace) {
      return split.plain;
    }
    List<Node> left = original;
    if (!split.deleted.isEmpty()) {
      left = new ArrayList<>(original);
      left.removeIf(item -> split.deleted.contains(((MapNode) item).get(key)));
    }
    return arranged(withElements(left, split.plain), split.plain, left);
  }

  /** The same in the order that a directive asks for; elements that it names come as it says. */
  List<Node> merge(List<Node> original, List<Node> patch, List<Node> order) {
    List<Node> merged = merge(original, patch);
    checkOrder(patch, order);
    return arranged(merged, order, key.isEmpty() ? original : live(original, patch));
  }

  /**
   * The object's elements for comparison with a directive's order: without those that the patch
   * deletes. For each of these, one that is new stands at the end; so it is in Go, where the merged
   * list takes the room that the deleted elements left.
   */
  private List<Node> live(List<Node> original, List<Node> patch) {
    Elements split = split(patch);
    List<Node> live = new ArrayList<>(original);
    live.removeIf(item -> split.deleted.contains(keyOf(item)));
    int freed = original.size() - live.size();
    Set<Node> known = new HashSet<>();
    live.forEach(item -> known.add(keyOf(item)));
    for (Node item : split.plain) {
      if (freed > 0 && known.add(keyOf(item))) {
        live.add(item);
        freed--;
      }
    }
    return live;
  }

  /**
   * The elements of {@code patch} in the order that a directive asks for, where the object has no
   * list yet. Elements with one key stay apart: there is nothing that they would be merged with.
   */
  List<Node> fresh(List<Node> patch, List<Node> order) {
    checkOrder(patch, order);
    return arranged(Directives.elements(patch, element), order, List.of());
  }

  /**
   * {@code original} without the scalars in {@code gone}, whether the list is merged or replaced by
   * patches. Kubernetes merges objects there.
   */
  List<Node> without(List<Node> original, List<Node> gone) {
    if (elements(original, gone) instanceof MapNode) {
      return merge(original, gone);
    }
    List<Node> kept = new ArrayList<>(original);
    kept.removeAll(new HashSet<>(gone));
    return kept;
  }

  /** The elements of a patch by what they ask for. */
  private static final class Elements {
    private final List<Node> plain = new ArrayList<>();
    private final Set<@Nullable Node> deleted = new HashSet<>();
    private boolean replace;
  }

  private Elements split(List<Node> patch) {
    Elements split = new Elements();
    for (Node item : patch) {
      MapNode map = (MapNode) item;
      switch (Directives.action(map)) {
        case DELETE -> split.deleted.add(keyOf(map));
        case REPLACE -> split.replace = true;
        case MERGE -> {
          keyOf(map);
          split.plain.add(map.without(Directives.PATCH));
        }
      }
    }
    if (split.replace) {
      split.plain.replaceAll(item -> Directives.content((MapNode) item, element));
    }
    return split;
  }

  private List<Node> withElements(List<Node> original, List<Node> patch) {
    List<Node> merged = new ArrayList<>(original);
    Map<Node, Integer> places = new HashMap<>();
    for (int i = 0; i < merged.size(); i++) {
      Node name = ((MapNode) merged.get(i)).get(key);
      if (name != null) {
        places.putIfAbsent(name, i);
      }
    }
    for (Node item : patch) {
      MapNode change = (MapNode) item;
      Integer place = places.get(keyOf(change));
      if (place == null) {
        places.put(keyOf(change), merged.size());
        merged.add(Directives.content(change, element));
      } else {
        merged.set(place, objects.merge((MapNode) merged.get(place), change, element));
      }
    }
    return merged;
  }

  /**
   * {@code merged} in its final order.
   *
   * @param first the elements whose order goes before the object's
   * @param live the elements as the object had them
   */
  private List<Node> arranged(List<Node> merged, List<Node> first, List<Node> live) {
    Map<Node, Integer> wanted = ranks(first);
    Map<Node, Integer> present = ranks(live);
    List<Node> named = new ArrayList<>();
    List<Node> others = new ArrayList<>();
    for (Node item : merged) {
      (wanted.containsKey(keyOf(item)) ? named : others).add(item);
    }
    named.sort(Comparator.comparing(item -> wanted.getOrDefault(keyOf(item), 0)));
    sortOthers(others, present);
    List<Node> all = new ArrayList<>(merged.size());
    int next = 0;
    for (Node item : named) {
      Integer rank = present.get(keyOf(item));
      while (rank != null && next < others.size()) {
        Integer other = present.get(keyOf(others.get(next)));
        if (other == null || other >= rank) {
          break;
        }
        all.add(others.get(next++));
      }
      all.add(item);
    }
    all.addAll(others.subList(next, others.size()));
    return all;
  }

  /**
   * Brings elements that no order names into the object's order. New ones are among them only if
   * the order is empty; Go then sorts them in by comparing all but the object's own elements as
   * less, which makes a definite order of it as far as it inserts one by one.
   */
  private void sortOthers(List<Node> others, Map<Node, Integer> present) {
    if (others.size() > MOST_INSERTED
        || others.stream().allMatch(item -> present.containsKey(keyOf(item)))) {
      return;
    }
    for (int i = 1; i < others.size(); i++) {
      for (int j = i; j > 0 && isLess(others.get(j), others.get(j - 1), present); j--) {
        Collections.swap(others, j, j - 1);
      }
    }
  }

  private boolean isLess(Node left, Node right, Map<Node, Integer> present) {
    Integer mine = present.get(keyOf(left));
    Integer theirs = present.get(keyOf(right));
    return mine == null || theirs == null || mine < theirs;
  }

  private Map<Node, Integer> ranks(List<Node> items) {
    Map<Node, Integer> ranks = new HashMap<>();
    for (Node item : items) {
      ranks.putIfAbsent(keyOf(item), ranks.size());
    }
    return ranks;
  }

  /** The merge key of {@code item}. */
  private Node keyOf(Node item) {
    if (key.isEmpty()) {
      return item;
    }
    if (!(item instanceof MapNode map)) {
      throw PatchException.malformed(
          "expected a map[string]interface {}, but received a " + kind(item));
    }
    Node name = map.get(key);
    if (name == null) {
      throw PatchException.malformed(
          "map: " + GoText.of(item) + " does not contain declared merge key: " + key);
    }
    return name;
  }

  /** The elements that a patch sets must stand in its order in the order's order. */
  private void checkOrder(List<Node> patch, List<Node> order) {
    if (order.isEmpty()) {
      return;
    }
    int at = 0;
    for (Node item : patch) {
      if (item instanceof MapNode map && map.has(Directives.PATCH)) {
        continue;
      }
      Node name = keyOf(item);
      while (at < order.size() && !keyOf(order.get(at)).equals(name)) {
        at++;
      }
      if (at++ >= order.size()) {
        throw PatchException.malformed(
            "The order in patch list:\n"
                + GoText.of(new Items(patch))
                + "\n doesn't match $setElementOrder list:\n"
                + GoText.of(new Items(order)));
      }
    }
  }

  private void checkElements(List<Node> original, List<Node> patch) {
    Node first = elements(original, patch);
    boolean objects = first instanceof MapNode;
    if (objects && key.isEmpty()) {
      throw PatchException.malformed("cannot merge lists without merge key for struct");
    }
    if (!objects && !key.isEmpty()) {
      throw PatchException.malformed(
          "expected a map[string]interface {}, but received a " + kind(first));
    }
  }

  /** The first element of two lists, whose elements are all of its type; null if there is none. */
  private static Node elements(List<Node> original, List<Node> patch) {
    Node first = Null.NULL;
    for (List<Node> items : List.of(original, patch)) {
      for (Node item : items) {
        if (item instanceof Items && first == Null.NULL) {
          throw PatchException.unfit("lists of lists are not supported");
        }
        if (item == Null.NULL || (first != Null.NULL && !kind(item).equals(kind(first)))) {
          throw PatchException.malformed(
              "list element types are not identical: "
                  + GoText.of(new Items(List.of(new Items(original), new Items(patch)))));
        }
        first = item;
      }
    }
    return first;
  }

  /** Go's word for the type of a value in an untyped document. */
  static String kind(Node item) {
    return switch (item) {
      case Node.Text _ -> "string";
      case Node.Int _, Node.Decimal _ -> "number";
      case Node.Bool _ -> "bool";
      case Null _ -> "<nil>";
      case Items _ -> "[]interface {}";
      case MapNode _ -> "map[string]interface {}";
    };
  }
}
