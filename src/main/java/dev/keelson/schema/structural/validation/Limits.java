package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;

/** Numbers of a schema that limit a size. */
final class Limits {

  /** No limit. */
  static final long NONE = Long.MIN_VALUE;

  private Limits() {}

  /** The limit {@code name}; {@link #NONE} if it is not set. */
  static long of(MapNode schema, String name) {
    return switch (schema.get(name)) {
      case Node.Int number -> number.value();
      case Node.Decimal number -> (long) Double.parseDouble(number.literal());
      case null, default -> NONE;
    };
  }
}
