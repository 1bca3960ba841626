package dev.keelson.schema;

import dev.keelson.object.Node;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * The fingerprint of what a structural schema prunes and fills in, written in white space: JSON
 * allows it behind a value, and every reader ignores it.
 */
final class ShapeMark {

  /** Changes when pruning or defaulting does, so that what was stored before is read anew. */
  private static final String RULES = "1";

  private static final byte[] DIGITS = {' ', '\t', '\n', '\r'};
  private static final int BITS = 48;

  private ShapeMark() {}

  /** The mark of a schema: 24 characters. */
  static byte[] of(StructuralSchema schema) {
    StringBuilder text = new StringBuilder(RULES);
    describe(schema, text);
    long hash = ByteBuffer.wrap(sha256(text.toString())).getLong();
    byte[] mark = new byte[BITS / 2];
    for (int i = 0; i < mark.length; i++) {
      mark[i] = DIGITS[(int) (hash >>> (2 * i)) & 3];
    }
    return mark;
  }

  private static void describe(StructuralSchema schema, StringBuilder text) {
    text.append('{').append(schema.type());
    if (schema.nullable()) {
      text.append(" nullable");
    }
    if (schema.preservesUnknownFields()) {
      text.append(" open");
    }
    if (schema.isEmbeddedResource()) {
      text.append(" embedded");
    }
    Node defaultValue = schema.defaultValue();
    if (defaultValue != null) {
      text.append(" default ").append(defaultValue);
    }
    schema
        .properties()
        .forEach(
            (name, property) -> {
              text.append(' ').append(name.length()).append(':').append(name);
              describe(property, text);
            });
    if (schema.declaresAdditionalProperties()) {
      text.append(" additional");
      StructuralSchema values = schema.additionalProperties();
      if (values != null) {
        describe(values, text);
      }
    }
    StructuralSchema items = schema.items();
    if (items != null) {
      text.append(" items");
      describe(items, text);
    }
    text.append('}');
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
