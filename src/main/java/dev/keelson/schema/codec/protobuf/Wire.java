package dev.keelson.schema.codec.protobuf;

import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;

/** The wire types of protobuf, the low three bits of every tag (protobuf.dev, "Encoding"). */
public final class Wire {

  public static final int VARINT = 0;
  public static final int FIXED64 = 1;
  public static final int LENGTH = 2;
  static final int GROUP_START = 3;
  static final int GROUP_END = 4;
  public static final int FIXED32 = 5;

  private static final int TYPE_BITS = 3;

  private Wire() {}

  public static int tag(int number, int type) {
    return number << TYPE_BITS | type;
  }

  public static int number(int tag) {
    return tag >>> TYPE_BITS;
  }

  public static int type(int tag) {
    return tag & 7;
  }

  /** The wire type of one value. */
  public static int typeOf(SchemaNode value) {
    return switch (value) {
      case StructSchema _, ListOf _, MapOf _, Free _ -> LENGTH;
      case SchemaNode.Union _, SchemaNode.Structural _ -> LENGTH;
      case Scalar scalar ->
          switch (scalar) {
            case INT32, INT64, UINT32, UINT64, BOOL -> VARINT;
            case DOUBLE -> FIXED64;
            case STRING, BYTES, TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY -> LENGTH;
          };
    };
  }
}
