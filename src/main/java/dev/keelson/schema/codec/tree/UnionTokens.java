package dev.keelson.schema.codec.tree;

import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Union;
import dev.keelson.schema.Unions;
import dev.keelson.schema.codec.tree.DecodeException.Fault;
import org.jspecify.annotations.Nullable;

/** Tells the shape of a value of a union by its first token. */
final class UnionTokens {

  private UnionTokens() {}

  /**
   * The shape of the value that begins at the current token.
   *
   * @return null if it is none of the union's shapes, and is skipped
   * @throws DecodeException if it is none and the union has booleans, for which Kubernetes' decoder
   *     fails
   */
  static @Nullable SchemaNode shape(Union union, Tokens tokens) {
    Field holder =
        switch (tokens.current()) {
          case OBJECT_START -> Unions.object(union);
          case ARRAY_START -> Unions.array(union);
          case TRUE, FALSE -> Unions.bool(union);
          default -> null;
        };
    if (holder != null) {
      return holder.type();
    }
    if (Unions.bool(union) != null) {
      throw new DecodeException(Fault.SHAPE, "boolean or JSON schema expected");
    }
    tokens.skip();
    return null;
  }
}
