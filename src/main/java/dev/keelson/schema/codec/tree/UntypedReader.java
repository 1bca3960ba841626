package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import dev.keelson.schema.codec.tree.Tokens.Token;
import dev.keelson.value.GoFloat;
import dev.keelson.value.ValueFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads a document without a schema and notes the duplicate keys. Used once. */
public final class UntypedReader {

  private final Tokens tokens;
  private final FieldPath path = new FieldPath();
  private final Problems problems = new Problems();

  public UntypedReader(Tokens tokens) {
    this.tokens = tokens;
  }

  /** The whole document; anything behind it is an error. */
  public Untyped document() {
    if (tokens.next() == Token.END) {
      throw new DecodeException(Fault.SYNTAX, "unexpected end of JSON input");
    }
    Node root = value();
    if (tokens.next() != Token.END) {
      throw new DecodeException(Fault.SYNTAX, "unexpected data after top-level value");
    }
    return new Untyped(root, List.copyOf(problems.texts()));
  }

  private Node value() {
    return switch (tokens.current()) {
      case OBJECT_START -> object();
      case ARRAY_START -> array();
      case DECIMAL -> decimal();
      default -> tokens.free();
    };
  }

  /** A number as it is written, which must be within the range of floating point numbers. */
  private Node decimal() {
    try {
      double unused = GoFloat.parse(tokens.text());
    } catch (ValueFormatException e) {
      throw new DecodeException(Fault.SHAPE, e.text());
    }
    return tokens.free();
  }

  private MapNode object() {
    Map<String, Node> entries = new LinkedHashMap<>();
    while (tokens.next() != Token.OBJECT_END) {
      String name = tokens.text();
      tokens.next();
      if (entries.containsKey(name) && !problems.full()) {
        problems.add("duplicate field \"" + path.with(name) + "\"");
      }
      path.field(name);
      entries.put(name, value());
      path.pop();
    }
    return MapNode.copyOf(entries);
  }

  private Items array() {
    List<Node> values = new ArrayList<>();
    while (tokens.next() != Token.ARRAY_END) {
      path.index(values.size());
      values.add(value());
      path.pop();
    }
    return values.isEmpty() ? Items.EMPTY : new Items(values);
  }
}
