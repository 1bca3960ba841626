package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Utf8Order;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Collects the entries of a map for the order in which Go prints it. Used by one thread. */
public final class SortedEntries {

  private final List<String> keys = new ArrayList<>();
  private final List<Node> values = new ArrayList<>();
  private boolean sorted = true;

  public void add(String key, Node value) {
    sorted = sorted && (keys.isEmpty() || Utf8Order.compare(keys.getLast(), key) < 0);
    keys.add(key);
    values.add(value);
  }

  /**
   * The map by rising key.
   *
   * @param duplicate receives every duplicate key; its last value is kept
   */
  public MapNode build(Consumer<String> duplicate) {
    if (sorted) {
      MapNode.Builder entries = MapNode.builder(keys.size());
      for (int i = 0; i < keys.size(); i++) {
        entries.put(keys.get(i), values.get(i));
      }
      return entries.build();
    }
    TreeMap<String, Node> entries = new TreeMap<>(Utf8Order::compare);
    for (int i = 0; i < keys.size(); i++) {
      if (entries.put(keys.get(i), values.get(i)) != null) {
        duplicate.accept(keys.get(i));
      }
    }
    return MapNode.copyOf(entries);
  }
}
