package dev.keelson.cel.type;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.RandomAccess;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A JSON array as a value. */
public final class TreeList extends AbstractList<Object> implements RandomAccess {

  private final List<Node> items;
  private final DataType type;
  private final @Nullable Object[] read;

  TreeList(Node.Items array, DataType type) {
    this.items = array.values();
    this.type = type;
    this.read = new Object[items.size()];
  }

  @Override
  public Object get(int index) {
    Object known = read[index];
    if (known == null) {
      known = Trees.value(items.get(index), type.items());
      read[index] = known;
    }
    return known;
  }

  @Override
  public int size() {
    return items.size();
  }

  /** Whether two lists have the same elements, by the list type of this one. */
  boolean sameAs(List<?> other) {
    if (other.size() != size()) {
      return false;
    }
    return switch (type.listKind()) {
      case ATOMIC -> Values.sameItems(this, other);
      case SET -> containsAll(asSet(other));
      case MAP -> sameByKeys(other);
    };
  }

  private boolean containsAll(Set<Values.Key> theirs) {
    for (Object item : this) {
      if (!theirs.contains(new Values.Key(item))) {
        return false;
      }
    }
    return true;
  }

  private static Set<Values.Key> asSet(List<?> list) {
    Set<Values.Key> set = HashSet.newHashSet(list.size());
    for (Object item : list) {
      set.add(new Values.Key(item));
    }
    return set;
  }

  private boolean sameByKeys(List<?> other) {
    Map<List<Values.Key>, Object> theirs = HashMap.newHashMap(other.size());
    for (Object item : other) {
      theirs.put(keyOf(item), item);
    }
    for (Object item : this) {
      Object found = theirs.get(keyOf(item));
      if (found == null || !Values.same(item, found)) {
        return false;
      }
    }
    return true;
  }

  private List<Values.Key> keyOf(Object item) {
    List<Values.Key> key = new ArrayList<>(type.keys().size());
    for (String name : type.keys()) {
      Object part =
          item instanceof TreeMapView map
              ? map.field(name)
              : item instanceof Map<?, ?> entries ? entries.get(name) : null;
      key.add(new Values.Key(part == null ? MapNode.EMPTY : part));
    }
    return key;
  }

  /**
   * The list with another's elements: a set gains those that it lacks; in a list of type map they
   * replace those of the same key; otherwise they follow.
   */
  List<Object> joined(List<?> other) {
    return switch (type.listKind()) {
      case ATOMIC -> GrowingList.joined(this, other);
      case SET -> union(other);
      case MAP -> merged(other);
    };
  }

  private List<Object> union(List<?> other) {
    List<Object> union = new ArrayList<>(this);
    Set<Values.Key> ours = asSet(this);
    for (Object item : other) {
      if (!ours.contains(new Values.Key(item))) {
        union.add(item);
      }
    }
    return union;
  }

  private List<Object> merged(List<?> other) {
    List<Object> merged = new ArrayList<>(this);
    Map<List<Values.Key>, Integer> places = HashMap.newHashMap(size());
    for (int i = 0; i < size(); i++) {
      places.put(keyOf(get(i)), i);
    }
    for (Object item : other) {
      Integer place = places.get(keyOf(item));
      if (place == null) {
        merged.add(item);
      } else {
        merged.set(place, item);
      }
    }
    return merged;
  }
}
