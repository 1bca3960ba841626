package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.Tokens.Token;
import dev.keelson.schema.structural.NormalForm;
import dev.keelson.value.Utf8Order;
import dev.keelson.value.ValueFormatException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads values without a Go type in their normal form: keys sorted, numbers as 64-bit integers or
 * floating point numbers. Used once, by one thread.
 */
final class UnstructuredReader {

  private final Tokens tokens;
  private final FieldPath path;

  /** Receives duplicate fields; null if they are ignored. */
  private final @Nullable Problems problems;

  UnstructuredReader(Tokens tokens, FieldPath path, @Nullable Problems problems) {
    this.tokens = tokens;
    this.path = path;
    this.problems = problems;
  }

  /** The value that begins at the current token; the last value of a duplicate field. */
  Node value() {
    return switch (tokens.current()) {
      case OBJECT_START -> object();
      case ARRAY_START -> array();
      case STRING -> new Text(tokens.text());
      case INT -> new Int(tokens.longValue());
      case DECIMAL -> decimal();
      case TRUE -> Bool.TRUE;
      case FALSE -> Bool.FALSE;
      case NULL -> Null.NULL;
      case OBJECT_END, ARRAY_END, NAME, END ->
          throw new IllegalStateException("no value begins at " + tokens.current());
    };
  }

  private Node decimal() {
    try {
      return NormalForm.number(tokens.text());
    } catch (ValueFormatException e) {
      throw new DecodeException(Fault.SHAPE, e.text());
    }
  }

  private MapNode object() {
    Entries entries = new Entries();
    while (tokens.next() != Token.OBJECT_END) {
      String name = tokens.text();
      tokens.next();
      int position = entries.position(name);
      if (position >= 0 && problems != null && !problems.full()) {
        problems.add("duplicate field \"" + path.with(name) + "\"");
      }
      path.field(name);
      entries.put(position, name, value());
      path.pop();
    }
    return entries.build();
  }

  private Items array() {
    if (tokens.next() == Token.ARRAY_END) {
      return Items.EMPTY;
    }
    List<Node> values = new ArrayList<>();
    do {
      path.index(values.size());
      values.add(value());
      path.pop();
    } while (tokens.next() != Token.ARRAY_END);
    return new Items(values);
  }

  /**
   * The entries of an object; keys that come in their order, as encoders send them, cost little.
   */
  private static final class Entries {

    private final List<String> keys = new ArrayList<>();
    private final List<Node> values = new ArrayList<>();

    /** The positions of keys; null as long as they came in their order. */
    private @Nullable Map<String, Integer> positions;

    /** The position of a key that is there already, or -1. */
    int position(String key) {
      if (positions == null) {
        if (keys.isEmpty() || Utf8Order.compare(keys.getLast(), key) < 0) {
          return -1;
        }
        positions = new HashMap<>();
        for (int i = 0; i < keys.size(); i++) {
          positions.put(keys.get(i), i);
        }
      }
      return positions.getOrDefault(key, -1);
    }

    /** Sets the value of a key of which {@link #position} gave the position. */
    void put(int position, String key, Node value) {
      if (position >= 0) {
        values.set(position, value);
        return;
      }
      if (positions != null) {
        positions.put(key, keys.size());
      }
      keys.add(key);
      values.add(value);
    }

    MapNode build() {
      if (positions == null) {
        MapNode.Builder entries = MapNode.builder(keys.size());
        for (int i = 0; i < keys.size(); i++) {
          entries.put(keys.get(i), values.get(i));
        }
        return entries.build();
      }
      Map<String, Node> sorted = new TreeMap<>(Utf8Order::compare);
      for (int i = 0; i < keys.size(); i++) {
        sorted.put(keys.get(i), values.get(i));
      }
      return MapNode.copyOf(sorted);
    }
  }
}
