package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * JSON in and out, which belongs to a sibling package.
 *
 * @param writer gives a value's JSON in UTF-8, without white space
 * @param reader reads a JSON value
 */
public record JsonText(Function<Node, byte[]> writer, Function<byte[], Node> reader) {

  byte[] write(Node node) {
    return writer.apply(node);
  }

  /** The value of a document. */
  Node read(byte[] document) {
    return reader.apply(document);
  }

  /** The value of a default as the schema has it. */
  Node read(String literal) {
    return reader.apply(literal.getBytes(StandardCharsets.UTF_8));
  }
}
