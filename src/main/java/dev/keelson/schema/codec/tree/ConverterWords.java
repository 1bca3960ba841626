package dev.keelson.schema.codec.tree;

import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.tree.Tokens.Token;

/**
 * The errors of Kubernetes' converter of unstructured objects ({@link
 * TypedReader.Rules#CONVERTER}).
 */
final class ConverterWords {

  private ConverterWords() {}

  /** The error for the value at the current token, which is not of the type. */
  static String mismatch(SchemaNode type, Tokens tokens) {
    Token found = tokens.current();
    return switch (type) {
      case StructSchema _ -> "cannot restore struct from: " + kind(found);
      case ListOf _ -> "cannot restore slice from " + kind(found);
      case MapOf _ -> "cannot restore map from " + kind(found);
      case Scalar scalar -> scalar(scalar, tokens);
      case SchemaNode.Free _, SchemaNode.Union _, SchemaNode.Structural _ -> json(type, tokens);
    };
  }

  private static String scalar(Scalar type, Tokens tokens) {
    Token found = tokens.current();
    return switch (type) {
      // these have decoders of their own
      case TIME, MICRO_TIME, DURATION, QUANTITY, INT_OR_STRING -> json(type, tokens);
      case BYTES -> "cannot restore slice from " + kind(found);
      case STRING -> refused(type, found, found == Token.INT);
      case INT32, INT64, UINT32, UINT64, DOUBLE -> refused(type, found, isNumber(found));
      case BOOL -> refused(type, found, /* convertible= */ false);
    };
  }

  /** Go can convert numbers to each other and integers to strings, which the converter refuses. */
  private static String refused(Scalar type, Token found, boolean convertible) {
    return convertible
        ? "cannot convert " + kind(found) + " to " + GoTypes.name(type)
        : "unrecognized type: " + GoTypes.name(type);
  }

  private static String json(SchemaNode type, Tokens tokens) {
    boolean number = type == Scalar.INT_OR_STRING && isNumber(tokens.current());
    return "json: cannot unmarshal "
        + GoTypes.described(tokens.current())
        + (number ? " " + tokens.text() : "")
        + " into Go value of type "
        + GoTypes.name(type);
  }

  private static boolean isNumber(Token token) {
    return token == Token.INT || token == Token.DECIMAL;
  }

  /** The Go kind of a value in an unstructured object. */
  private static String kind(Token token) {
    return switch (token) {
      case OBJECT_START -> "map";
      case ARRAY_START -> "slice";
      case STRING -> "string";
      case INT -> "int64";
      case DECIMAL -> "float64";
      case TRUE, FALSE -> "bool";
      case NULL, OBJECT_END, ARRAY_END, NAME, END ->
          throw new IllegalStateException("no value begins at " + token);
    };
  }
}
