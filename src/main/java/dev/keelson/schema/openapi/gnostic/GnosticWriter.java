package dev.keelson.schema.openapi.gnostic;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What gnostic's messages of both versions have in common: objects of free keys are lists of named
 * values, and what the messages do not know is YAML text.
 */
abstract class GnosticWriter {

  private static final int NAME = 1;
  private static final int VALUE = 2;
  private static final int ANY_YAML = 2;

  final ProtoBytes out = new ProtoBytes();
  private final Function<Node, byte[]> json;

  GnosticWriter(Function<Node, byte[]> json) {
    this.json = json;
  }

  /** The bytes of the document's fields. Called once. */
  final byte[] write(MapNode document) {
    document(document);
    return out.toBytes();
  }

  /** The bytes of entries of the field {@code paths}. Called once. */
  final byte[] writePaths(MapNode paths) {
    paths(paths);
    return out.toBytes();
  }

  /** The bytes of named schemas. Called once. */
  final byte[] writeSchemas(MapNode schemas) {
    schemas(schemas);
    return out.toBytes();
  }

  abstract void document(MapNode document);

  abstract void paths(MapNode paths);

  abstract void schemas(MapNode schemas);

  /** Fields that have no place in the messages. */
  final IllegalStateException unknown(String message, String key) {
    return new IllegalStateException("gnostic's " + message + " has no field for " + key);
  }

  /** A number, unless it is zero, which the messages do not tell from absence. */
  final void number(int field, Node value) {
    double number =
        switch (value) {
          case Node.Int whole -> (double) whole.value();
          case Node.Decimal decimal -> Double.parseDouble(decimal.literal());
          case Node.Text _, Node.Bool _, Node.Null _, Node.Items _, MapNode _ -> 0;
        };
    if (number != 0) {
      out.presentDouble(field, number);
    }
  }

  /** An integer, unless it is zero. */
  final void count(int field, Node value) {
    if (value instanceof Node.Int(long count) && count != 0) {
      out.presentVarint(field, count);
    }
  }

  final void text(int field, Node value) {
    out.string(field, ((Node.Text) value).value());
  }

  final void flag(int field, Node value) {
    out.bool(field, ((Node.Bool) value).value());
  }

  final void texts(int field, Node value) {
    for (Node item : ((Node.Items) value).values()) {
      out.presentString(field, ((Node.Text) item).value());
    }
  }

  /** A message for each element. */
  final void each(int field, Node value, Consumer<MapNode> body) {
    for (Node item : ((Node.Items) value).values()) {
      message(field, item, body);
    }
  }

  final void message(int field, Node value, Consumer<MapNode> body) {
    out.message(field, () -> body.accept((MapNode) value));
  }

  /** A message whose field 1 lists the entries of an object. */
  final void namedMessages(int field, Node value, Consumer<MapNode> body) {
    out.message(field, () -> entries(1, (MapNode) value, body));
  }

  /** The entries of an object, each with its name. */
  final void entries(int field, MapNode value, Consumer<MapNode> body) {
    value.forEach((name, entry) -> entry(field, name, entry, body));
  }

  final void entry(int field, String name, Node value, Consumer<MapNode> body) {
    out.message(
        field,
        () -> {
          out.string(NAME, name);
          message(VALUE, value, body);
        });
  }

  /** An extension: its name, and its value as YAML, of which JSON is a part. */
  final void extension(int field, String message, String name, Node value) {
    if (!name.startsWith("x-")) {
      throw unknown(message, name);
    }
    out.message(
        field,
        () -> {
          out.string(NAME, name);
          any(VALUE, value);
        });
  }

  final void any(int field, Node value) {
    byte[] text = json.apply(value);
    byte[] line = Arrays.copyOf(text, text.length + 1);
    line[text.length] = (byte) '\n';
    out.message(field, () -> out.bytes(ANY_YAML, line));
  }

  final void anys(int field, Node value) {
    for (Node item : ((Node.Items) value).values()) {
      any(field, item);
    }
  }
}
