package dev.keelson.object;

import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value. Immutable; equality is by value, and for objects it ignores the order of keys.
 *
 * <p>Times, quantities, durations and base64 bytes are strings and kept as written.
 *
 * <p>Values of one kind have an order, so that hash tables stay fast when a client sends values
 * whose hashes collide: {@link java.util.HashMap} orders such keys if they are comparable.
 */
public sealed interface Node {

  /** A JSON string. */
  record Text(String value) implements Node, Comparable<Text> {
    @Override
    public int compareTo(Text other) {
      return value.compareTo(other.value);
    }
  }

  /** A JSON number that is a 64-bit integer. */
  record Int(long value) implements Node, Comparable<Int> {
    @Override
    public int compareTo(Int other) {
      return Long.compare(value, other.value);
    }
  }

  /**
   * A JSON number that is not a 64-bit integer, kept as written.
   *
   * @param literal a number in JSON's grammar
   */
  record Decimal(String literal) implements Node, Comparable<Decimal> {
    @Override
    public int compareTo(Decimal other) {
      return literal.compareTo(other.literal);
    }
  }

  /** {@code true} or {@code false}. */
  enum Bool implements Node {
    TRUE,
    FALSE;

    /** The instance for {@code value}. */
    public static Bool of(boolean value) {
      return value ? TRUE : FALSE;
    }

    /** The value as a Java boolean. */
    public boolean value() {
      return this == TRUE;
    }
  }

  /** {@code null}; only inside values without a schema, since typed fields drop it. */
  enum Null implements Node {
    NULL
  }

  /** A JSON array. */
  record Items(List<Node> values) implements Node, Comparable<Items> {
    /** The empty array. */
    public static final Items EMPTY = new Items(List.of());

    public Items {
      Turn.pass();
      values = List.copyOf(values);
    }

    @Override
    public int compareTo(Items other) {
      int order = Integer.compare(values.size(), other.values.size());
      for (int i = 0; order == 0 && i < values.size(); i++) {
        order = Node.compare(values.get(i), other.values.get(i));
      }
      return order;
    }
  }

  /** A total order that agrees with equality, see {@link Node}; it has no other meaning. */
  private static int compare(Node left, Node right) {
    if (left == right) {
      return 0;
    }
    return switch (left) {
      case Text mine when right instanceof Text theirs -> mine.compareTo(theirs);
      case Int mine when right instanceof Int theirs -> mine.compareTo(theirs);
      case Decimal mine when right instanceof Decimal theirs -> mine.compareTo(theirs);
      case Items mine when right instanceof Items theirs -> mine.compareTo(theirs);
      case MapNode mine when right instanceof MapNode theirs -> mine.compareTo(theirs);
      case Bool mine when right instanceof Bool theirs -> mine.compareTo(theirs);
      default -> Integer.compare(rank(left), rank(right));
    };
  }

  private static int rank(Node node) {
    return switch (node) {
      case Null _ -> 0;
      case Bool _ -> 1;
      case Int _ -> 2;
      case Decimal _ -> 3;
      case Text _ -> 4;
      case Items _ -> 5;
      case MapNode _ -> 6;
    };
  }

  /** The elements of {@code items} that are objects, in order. */
  static List<MapNode> maps(List<Node> items) {
    List<MapNode> maps = new ArrayList<>(items.size());
    for (Node item : items) {
      if (item instanceof MapNode map) {
        maps.add(map);
      }
    }
    return maps;
  }

  /** A string value. */
  static Text text(String value) {
    return new Text(value);
  }

  /** An array of strings. */
  static Items texts(List<String> values) {
    return new Items(values.stream().<Node>map(Text::new).toList());
  }

  /**
   * A JSON object: distinct keys in a fixed order. Immutable and safe to share between threads.
   *
   * <p>Most objects of the API have few keys, so look-up is a scan over an array; large maps get an
   * index on first use.
   */
  final class MapNode implements Node, Comparable<MapNode> {

    /** The object without keys. */
    public static final MapNode EMPTY = new MapNode(new String[0], new Node[0]);

    private static final int INDEX_ABOVE = 12;

    private final String[] keys;
    private final Node[] values;
    private volatile @Nullable Map<String, Integer> index;

    private MapNode(String[] keys, Node[] values) {
      this.keys = keys;
      this.values = values;
    }

    /** An object of one key. */
    public static MapNode of(String key, Node value) {
      return new MapNode(new String[] {key}, new Node[] {value});
    }

    /** An object with the entries of {@code entries} in its order. */
    public static MapNode copyOf(Map<String, ? extends Node> entries) {
      Builder builder = new Builder(entries.size());
      entries.forEach(builder::put);
      return builder.build();
    }

    /** An object of strings. */
    public static MapNode ofTexts(Map<String, String> entries) {
      Builder builder = new Builder(entries.size());
      entries.forEach((key, value) -> builder.put(key, new Text(value)));
      return builder.build();
    }

    /** A builder for about {@code expected} keys. */
    public static Builder builder(int expected) {
      return new Builder(expected);
    }

    /** A builder that begins with the entries of this object. */
    public Builder toBuilder() {
      Builder builder = new Builder(keys.length + 1);
      forEach(builder::put);
      return builder;
    }

    public int size() {
      return keys.length;
    }

    public boolean isEmpty() {
      return keys.length == 0;
    }

    /** The key at {@code position}, from 0. */
    public String keyAt(int position) {
      return keys[position];
    }

    /** The value at {@code position}, from 0. */
    public Node valueAt(int position) {
      return values[position];
    }

    /** The keys in order. */
    public List<String> keys() {
      return List.of(keys);
    }

    /** The value of {@code key}, or null if there is none. */
    public @Nullable Node get(String key) {
      int position = position(key);
      return position < 0 ? null : values[position];
    }

    public boolean has(String key) {
      return position(key) >= 0;
    }

    /**
     * The object under {@code key}; the empty object if the key is absent or holds something else.
     */
    public MapNode map(String key) {
      return get(key) instanceof MapNode map ? map : EMPTY;
    }

    /** The string under {@code key}; empty if the key is absent or holds something else. */
    public String text(String key) {
      return get(key) instanceof Text text ? text.value() : "";
    }

    /** The array under {@code key}; empty if the key is absent or holds something else. */
    public List<Node> items(String key) {
      return get(key) instanceof Items items ? items.values() : List.of();
    }

    /** The objects in the array under {@code key}, in order; whatever else is in it is left out. */
    public List<MapNode> maps(String key) {
      return Node.maps(items(key));
    }

    /** The node at the end of {@code path}, or null if a step is missing or not an object. */
    public @Nullable Node at(String... path) {
      Node node = this;
      for (String step : path) {
        if (!(node instanceof MapNode map)) {
          return null;
        }
        Node next = map.get(step);
        if (next == null) {
          return null;
        }
        node = next;
      }
      return node;
    }

    /** The same object with {@code key} set; a new key comes last, a known one keeps its place. */
    public MapNode with(String key, Node value) {
      int position = position(key);
      if (position >= 0) {
        if (values[position] == value) {
          return this;
        }
        Node[] changed = values.clone();
        changed[position] = value;
        return new MapNode(keys, changed);
      }
      String[] moreKeys = Arrays.copyOf(keys, keys.length + 1);
      Node[] moreValues = Arrays.copyOf(values, values.length + 1);
      moreKeys[keys.length] = key;
      moreValues[keys.length] = value;
      return new MapNode(moreKeys, moreValues);
    }

    /** The same object with {@code key} set, or without it if {@code value} is null. */
    public MapNode replaced(String key, @Nullable Node value) {
      return value == null ? without(key) : with(key, value);
    }

    /**
     * The same object with the node at the end of {@code path} set; missing objects on the way are
     * made.
     */
    public MapNode withAt(List<String> path, Node value) {
      String first = path.get(0);
      if (path.size() == 1) {
        return with(first, value);
      }
      return with(first, map(first).withAt(path.subList(1, path.size()), value));
    }

    /** The same object without {@code key}. */
    public MapNode without(String key) {
      int position = position(key);
      if (position < 0) {
        return this;
      }
      Builder builder = new Builder(keys.length - 1);
      for (int i = 0; i < keys.length; i++) {
        if (i != position) {
          builder.put(keys[i], values[i]);
        }
      }
      return builder.build();
    }

    /** Calls {@code action} for every entry in order. */
    public void forEach(BiConsumer<String, Node> action) {
      for (int i = 0; i < keys.length; i++) {
        action.accept(keys[i], values[i]);
      }
    }

    /** The entries whose values are strings, in order; others are left out. */
    public Map<String, String> texts() {
      Map<String, String> texts = new java.util.LinkedHashMap<>();
      for (int i = 0; i < keys.length; i++) {
        if (values[i] instanceof Text text) {
          texts.put(keys[i], text.value());
        }
      }
      return texts;
    }

    private int position(String key) {
      if (keys.length > INDEX_ABOVE) {
        return indexed().getOrDefault(key, -1);
      }
      // strings cache their hash codes, so most other keys differ by a number
      int hash = key.hashCode();
      for (int i = 0; i < keys.length; i++) {
        String other = keys[i];
        if (other.hashCode() == hash && other.equals(key)) {
          return i;
        }
      }
      return -1;
    }

    private Map<String, Integer> indexed() {
      Map<String, Integer> known = index;
      if (known == null) {
        known = new HashMap<>(keys.length * 2);
        for (int i = 0; i < keys.length; i++) {
          known.put(keys[i], i);
        }
        index = known;
      }
      return known;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      if (this == other) {
        return true;
      }
      if (!(other instanceof MapNode that) || that.keys.length != keys.length) {
        return false;
      }
      for (int i = 0; i < keys.length; i++) {
        boolean samePlace = keys[i].equals(that.keys[i]);
        Node theirs = samePlace ? that.values[i] : that.get(keys[i]);
        if (!values[i].equals(theirs)) {
          return false;
        }
      }
      return true;
    }

    @Override
    public int compareTo(MapNode other) {
      int order = Integer.compare(keys.length, other.keys.length);
      if (order != 0) {
        return order;
      }
      String[] mine = sorted(keys);
      String[] theirs = sorted(other.keys);
      for (int i = 0; order == 0 && i < mine.length; i++) {
        order = mine[i].compareTo(theirs[i]);
      }
      for (int i = 0; order == 0 && i < mine.length; i++) {
        order = Node.compare(values[position(mine[i])], other.values[other.position(mine[i])]);
      }
      return order;
    }

    private static String[] sorted(String[] keys) {
      String[] sorted = keys.clone();
      Arrays.sort(sorted);
      return sorted;
    }

    @Override
    public int hashCode() {
      int hash = 0;
      for (int i = 0; i < keys.length; i++) {
        hash += keys[i].hashCode() ^ values[i].hashCode();
      }
      return hash;
    }

    @Override
    public String toString() {
      StringBuilder text = new StringBuilder("{");
      forEach(
          (key, value) ->
              text.append(text.length() > 1 ? ", " : "").append(key).append(": ").append(value));
      return text.append('}').toString();
    }

    /** Collects entries; not safe for use by several threads. */
    public static final class Builder {
      private String[] keys;
      private Node[] values;
      private int size;

      /** Whether an object shares the arrays, which then must not be changed. */
      private boolean given;

      /** The positions of keys; created when there are many. */
      private @Nullable Map<String, Integer> index;

      private Builder(int expected) {
        keys = new String[expected];
        values = new Node[expected];
      }

      /** Adds an entry; the caller ensures that keys are distinct. */
      public Builder put(String key, Node value) {
        own(size + 1);
        keys[size] = key;
        values[size++] = value;
        return this;
      }

      /** Adds an entry or replaces the value of its key. Not to be mixed with put. */
      public Builder set(String key, Node value) {
        int position = position(key);
        if (position < 0) {
          return put(key, value);
        }
        own(size);
        values[position] = value;
        return this;
      }

      private int position(String key) {
        if (size > INDEX_ABOVE) {
          Map<String, Integer> known = index;
          if (known == null) {
            known = new HashMap<>();
            for (int i = 0; i < size; i++) {
              known.put(keys[i], i);
            }
            index = known;
          }
          Integer before = known.putIfAbsent(key, size);
          return before == null ? -1 : before;
        }
        int hash = key.hashCode();
        for (int i = 0; i < size; i++) {
          if (keys[i].hashCode() == hash && keys[i].equals(key)) {
            return i;
          }
        }
        return -1;
      }

      private void own(int room) {
        if (given || room > keys.length) {
          int length = room > keys.length ? Math.max(room, keys.length * 2) : keys.length;
          keys = Arrays.copyOf(keys, length);
          values = Arrays.copyOf(values, length);
          given = false;
        }
      }

      public MapNode build() {
        Turn.pass();
        if (size == 0) {
          return EMPTY;
        }
        if (size < keys.length) {
          return new MapNode(Arrays.copyOf(keys, size), Arrays.copyOf(values, size));
        }
        given = true;
        return new MapNode(keys, values);
      }
    }
  }
}
