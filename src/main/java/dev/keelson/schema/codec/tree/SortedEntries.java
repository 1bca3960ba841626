package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Utf8Order;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Collects the entries of a map for the order in which Go prints it. Used by one thread. */
public final class SortedEntries {

  private final List<String> keys = new ArrayList<>();
  private final List<Node> values = new ArrayList<>();
  private boolean sorted = true;

  /** The keys; null until one is looked for that need not be greater than all. */
  private @Nullable Set<String> known;

  /** Whether there is an entry of that key. */
  boolean has(String key) {
    if (known == null) {
      if (sorted && (keys.isEmpty() || Utf8Order.compare(keys.getLast(), key) < 0)) {
        return false;
      }
      known = new HashSet<>(keys);
    }
    return known.contains(key);
  }

  public void add(String key, Node value) {
    sorted = sorted && (keys.isEmpty() || Utf8Order.compare(keys.getLast(), key) < 0);
    keys.add(key);
    values.add(value);
    if (known != null) {
      known.add(key);
    }
  }

  /** The map by rising key; of a key that was added twice, the last value. */
  public MapNode build() {
    if (sorted) {
      MapNode.Builder entries = MapNode.builder(keys.size());
      for (int i = 0; i < keys.size(); i++) {
        entries.put(keys.get(i), values.get(i));
      }
      return entries.build();
    }
    TreeMap<String, Node> entries = new TreeMap<>(Utf8Order::compare);
    for (int i = 0; i < keys.size(); i++) {
      entries.put(keys.get(i), values.get(i));
    }
    return MapNode.copyOf(entries);
  }
}
