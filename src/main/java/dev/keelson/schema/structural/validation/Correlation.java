package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.structural.ShownValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of an update beside the value that it replaces: fields by name, elements of a map by
 * their keys; elements of sets and of atomic lists, which is what a list without a type is, have no
 * counterpart (source: {@code CorrelatedObject} of kube-apiserver). Used by one thread.
 */
final class Correlation {

  private final Node value;
  private final Node old;
  private final StructuralSchema schema;
  private @Nullable Boolean same;
  private @Nullable Map<String, Node> oldByKeys;

  Correlation(Node value, Node old, StructuralSchema schema) {
    this.value = value;
    this.old = old;
    this.schema = schema;
  }

  /** A field; null if the old value has none of that name, or the schema does not know it. */
  @Nullable Correlation field(String name) {
    if (!(value instanceof MapNode map) || !(old instanceof MapNode oldMap)) {
      return null;
    }
    Node child = map.get(name);
    Node oldChild = oldMap.get(name);
    StructuralSchema declared = schema.properties().get(name);
    StructuralSchema place = declared == null ? schema.additionalProperties() : declared;
    return child == null || oldChild == null || place == null
        ? null
        : new Correlation(child, oldChild, place);
  }

  /** An element; null if it has no counterpart. */
  @Nullable Correlation element(int index) {
    StructuralSchema place = schema.items();
    if (!(value instanceof Items items) || !(old instanceof Items oldItems) || place == null) {
      return null;
    }
    Node child = items.values().get(index);
    Node oldChild =
        switch (schema.source().text("x-kubernetes-list-type")) {
          case "map" -> child instanceof MapNode map ? byKeys(oldItems).get(keys(map)) : null;
          default -> null;
        };
    return oldChild == null || oldChild == Node.Null.NULL
        ? null
        : new Correlation(child, oldChild, place);
  }

  private Map<String, Node> byKeys(Items oldItems) {
    Map<String, Node> known = oldByKeys;
    if (known == null) {
      known = new HashMap<>();
      for (Node item : oldItems.values()) {
        if (item instanceof MapNode map) {
          known.putIfAbsent(keys(map), map);
        }
      }
      oldByKeys = known;
    }
    return known;
  }

  private String keys(MapNode item) {
    StringBuilder text = new StringBuilder();
    for (String key : schema.mapKeys()) {
      Node part = item.get(key);
      text.append(part == null ? "" : ShownValue.whole(part)).append('\n');
    }
    return text.toString();
  }

  /** Whether nothing has changed; elements of maps may have changed places. */
  boolean isSame() {
    Boolean known = same;
    if (known == null) {
      known = compare();
      same = known;
    }
    return known;
  }

  private boolean compare() {
    if (value instanceof Items items && old instanceof Items oldItems) {
      return sameElements(items.values(), oldItems.values());
    }
    if (value instanceof MapNode map && old instanceof MapNode oldMap) {
      return sameFields(map, oldMap);
    }
    return value.equals(old);
  }

  private boolean sameElements(List<Node> values, List<Node> oldValues) {
    if (values.size() != oldValues.size()) {
      return false;
    }
    for (int i = 0; i < values.size(); i++) {
      Correlation element = element(i);
      if (element == null) {
        return oldByKeys == null && values.equals(oldValues);
      }
      if (!element.isSame()) {
        return false;
      }
    }
    return true;
  }

  private boolean sameFields(MapNode map, MapNode oldMap) {
    if (map.size() != oldMap.size()) {
      return false;
    }
    for (int i = 0; i < map.size(); i++) {
      Correlation field = field(map.keyAt(i));
      if (field == null || !field.isSame()) {
        return false;
      }
    }
    return true;
  }
}
