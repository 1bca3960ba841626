package dev.keelson.cel.type;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object as a value: the fields of an object type, or the entries of a map. Fields of an
 * object type are found by their escaped names; iteration is over the names as they are written.
 */
public final class TreeMapView extends AbstractMap<String, Object> {

  private final MapNode map;
  private final DataType type;
  private final Reader reader;

  TreeMapView(MapNode map, DataType type, Reader reader) {
    this.map = map;
    this.type = type;
    this.reader = reader;
  }

  /** Its type. */
  public DataType type() {
    return type;
  }

  /** Whether it is an object with fields; false for a map. */
  public boolean isObject() {
    return type.kind() == DataType.Kind.OBJECT;
  }

  /**
   * The value of a field.
   *
   * @param property its name, not escaped
   * @return null if the object does not have it
   */
  public @Nullable Object field(String property) {
    Node value = map.get(property);
    return value == null || isAbsent(value) ? null : reader.value(value, type.of(property));
  }

  /** A field of an object that is null counts as absent; an entry of a map does not. */
  private boolean isAbsent(Node value) {
    return value == Node.Null.NULL && isObject();
  }

  /** Whether the object has a field; the name is not escaped. */
  public boolean has(String property) {
    Node value = map.get(property);
    return value != null && !isAbsent(value);
  }

  /** The names of the fields or entries, not escaped. */
  public List<String> keys() {
    return map.keys();
  }

  /** The tree. */
  MapNode tree() {
    return map;
  }

  /** Whether both show the same tree. */
  boolean isSameTree(TreeMapView other) {
    return map == other.map;
  }

  @Override
  public @Nullable Object get(Object key) {
    return key instanceof String name ? field(name) : null;
  }

  @Override
  public boolean containsKey(Object key) {
    return key instanceof String name && has(name);
  }

  @Override
  public int size() {
    return map.size();
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    return new Entries();
  }

  private final class Entries extends AbstractSet<Map.Entry<String, Object>> {
    @Override
    public Iterator<Map.Entry<String, Object>> iterator() {
      return new Iterator<>() {
        private int next;

        @Override
        public boolean hasNext() {
          return next < map.size();
        }

        @Override
        public Map.Entry<String, Object> next() {
          String key = map.keyAt(next);
          return Map.entry(key, reader.value(map.valueAt(next++), type.of(key)));
        }
      };
    }

    @Override
    public int size() {
      return map.size();
    }
  }
}
