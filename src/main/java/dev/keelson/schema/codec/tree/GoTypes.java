package dev.keelson.schema.codec.tree;

import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.tree.Tokens.Token;

/** The Go types that Kubernetes' error messages name. */
final class GoTypes {

  private GoTypes() {}

  /** For example {@code int32}, {@code []v1.Container}, {@code map[string]string}. */
  static String name(SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> struct(struct.name());
      case ListOf list -> "[]" + name(list.element());
      case MapOf map -> "map[string]" + name(map.value());
      case Free free -> free == Free.ANY_JSON ? "v1.JSON" : "runtime.RawExtension";
      case SchemaNode.Union union -> struct(union.message().name());
      case SchemaNode.Structural _ -> "interface {}";
      case Scalar scalar ->
          switch (scalar) {
            // times, durations and quantities are read as strings first
            case STRING, TIME, MICRO_TIME, DURATION, QUANTITY -> "string";
            case INT32, INT_OR_STRING -> "int32";
            case INT64 -> "int64";
            case UINT32 -> "uint32";
            case UINT64 -> "uint64";
            case DOUBLE -> "float64";
            case BOOL -> "bool";
            case BYTES -> "[]uint8";
          };
    };
  }

  /** The last two parts: Go's package and type, for example {@code v1.PodSpec}. */
  private static String struct(String fullName) {
    int typeAt = fullName.lastIndexOf('.');
    int packageAt = typeAt < 0 ? -1 : fullName.lastIndexOf('.', typeAt - 1);
    return fullName.substring(packageAt + 1);
  }

  /** What a value is that begins at a token. */
  static String described(Token token) {
    return switch (token) {
      case OBJECT_START -> "object";
      case ARRAY_START -> "array";
      case STRING -> "string";
      case INT, DECIMAL -> "number";
      case TRUE, FALSE -> "bool";
      case NULL -> "null";
      case OBJECT_END, ARRAY_END, NAME, END ->
          throw new IllegalStateException("no value begins at " + token);
    };
  }
}
