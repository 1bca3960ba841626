package dev.keelson.schema.codec;

import dev.keelson.object.MapNode;
import dev.keelson.object.Node;
import dev.keelson.schema.StructSchema;
import dev.keelson.schema.codec.DecodeException.Fault;
import dev.keelson.schema.codec.Tokens.Token;
import java.util.List;

/**
 * Bytes to trees. Documents nest at most 512 deep; their size is the caller's to bound before they
 * come here.
 */
public final class ObjectReader {

  private ObjectReader() {}

  /**
   * Reads a JSON document of a known type into canonical form: encoding the tree gives what
   * kube-apiserver prints for the same object. Quantities are checked but kept as written.
   *
   * @param json in UTF-8
   * @throws DecodeException if it is no JSON, or a value has not the type that its field asks for
   */
  public static Decoded json(byte[] json, StructSchema schema, FieldValidation validation) {
    return typed(JsonTokens.of(json), schema, validation);
  }

  /** Reads a YAML document as {@link #json} reads JSON. */
  public static Decoded yaml(byte[] yaml, StructSchema schema, FieldValidation validation) {
    return json(yaml, schema, validation);
  }

  /**
   * Types a tree anew, for example after a patch, as if it had been written out and read again.
   *
   * @throws DecodeException if a value has not the type that its field asks for
   */
  public static Decoded tree(Node tree, StructSchema schema, FieldValidation validation) {
    return typed(new NodeTokens(tree), schema, validation);
  }

  /**
   * Reads any JSON value as it is: keys in their order, numbers as written; of a key that stands
   * twice the last value.
   *
   * @param json in UTF-8
   * @throws DecodeException if it is no JSON
   */
  public static Node untypedJson(byte[] json) {
    return untyped(JsonTokens.of(json));
  }

  /**
   * Reads any JSON value as {@link #untypedJson(byte[])} does, and tells which keys stand twice.
   *
   * @param json in UTF-8
   * @throws DecodeException if it is no JSON
   */
  public static Untyped untypedJson(byte[] json, FieldValidation validation) {
    if (validation == FieldValidation.IGNORE) {
      return new Untyped(untypedJson(json), List.of());
    }
    return new UntypedReader(JsonTokens.of(json)).document();
  }

  static Decoded typed(Tokens tokens, StructSchema schema, FieldValidation validation) {
    TypedReader reader = new TypedReader(tokens, validation);
    try {
      MapNode root = reader.document(schema);
      return new Decoded(root, reader.problems());
    } catch (DecodeException e) {
      if (e.fault() == Fault.SHAPE) {
        // a document that is none at all is the graver error, wherever it breaks
        while (tokens.next() != Token.END) {}
      }
      throw e;
    }
  }

  static Node untyped(Tokens tokens) {
    if (tokens.next() == Token.END) {
      throw new DecodeException(Fault.SYNTAX, "unexpected end of JSON input");
    }
    Node value = tokens.free();
    if (tokens.next() != Token.END) {
      throw new DecodeException(Fault.SYNTAX, "unexpected data after top-level value");
    }
    return value;
  }
}
