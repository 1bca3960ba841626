package dev.keelson.cel.type;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.UnsignedLong;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.common.values.CelByteString;
import dev.cel.common.values.NullValue;
import dev.keelson.object.Node;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Protobuf's messages that stand for plain values, such as {@code google.protobuf.Int32Value}.
 * Expressions may construct them, and get the plain values (source: cel-go, common/types/pb).
 */
public enum WrapperMessage {
  BOOL("BoolValue", SimpleType.BOOL, false),
  BYTES("BytesValue", SimpleType.BYTES, CelByteString.EMPTY),
  DOUBLE("DoubleValue", SimpleType.DOUBLE, 0.0),
  FLOAT("FloatValue", SimpleType.DOUBLE, 0.0),
  INT32("Int32Value", SimpleType.INT, 0L),
  INT64("Int64Value", SimpleType.INT, 0L),
  STRING("StringValue", SimpleType.STRING, ""),
  UINT32("UInt32Value", SimpleType.UINT, UnsignedLong.ZERO),
  UINT64("UInt64Value", SimpleType.UINT, UnsignedLong.ZERO),
  LIST("ListValue", ImmutableMap.of("values", ListType.create(SimpleType.DYN)), List.of()),
  STRUCT(
      "Struct",
      ImmutableMap.of("fields", MapType.create(SimpleType.STRING, SimpleType.DYN)),
      Map.of()),
  VALUE(
      "Value",
      ImmutableMap.of(
          "null_value", SimpleType.INT,
          "number_value", SimpleType.DOUBLE,
          "string_value", SimpleType.STRING,
          "bool_value", SimpleType.BOOL,
          "struct_value", MapType.create(SimpleType.STRING, SimpleType.DYN),
          "list_value", ListType.create(SimpleType.DYN)),
      NullValue.NULL_VALUE);

  private static final String PACKAGE = "google.protobuf.";

  private final String typeName;
  private final ImmutableMap<String, CelType> fields;

  /** The value of a message without fields, which is immutable. */
  @SuppressWarnings("ImmutableEnumChecker")
  private final Object empty;

  WrapperMessage(String name, CelType value, Object empty) {
    this(name, ImmutableMap.of("value", value), empty);
  }

  WrapperMessage(String name, ImmutableMap<String, CelType> fields, Object empty) {
    this.typeName = PACKAGE + name;
    this.fields = fields;
    this.empty = empty;
  }

  /** The message of a type's full name; empty if it is none of these. */
  public static Optional<WrapperMessage> of(String typeName) {
    if (typeName.startsWith(PACKAGE)) {
      for (WrapperMessage each : values()) {
        if (each.typeName.equals(typeName)) {
          return Optional.of(each);
        }
      }
    }
    return Optional.empty();
  }

  /** The type that a checker looks the fields up in. */
  public CelType type() {
    return StructType.create(
        typeName,
        ImmutableSet.copyOf(fields.keySet()),
        field -> Optional.ofNullable(fields.get(field)));
  }

  /**
   * The plain value of a message. Of several fields, which only {@link #VALUE} has, the last
   * counts.
   *
   * @throws EvaluationError if a field cannot have its value
   */
  public Object value(Map<String, Object> given) {
    Object value = empty;
    for (Map.Entry<String, Object> field : given.entrySet()) {
      value = value(field.getKey(), field.getValue());
    }
    return value;
  }

  private Object value(String field, Object value) {
    return switch (this) {
      case BOOL, BYTES, DOUBLE, INT64, STRING, UINT64 -> checked(field, value);
      case FLOAT -> (double) ((Double) checked(field, value)).floatValue();
      case INT32 -> {
        long number = (Long) checked(field, value);
        yield ranged(field, number, number == (int) number, "integer overflow");
      }
      case UINT32 -> {
        UnsignedLong number = (UnsignedLong) checked(field, value);
        yield ranged(field, number, number.longValue() >>> 32 == 0, "unsigned integer overflow");
      }
      case LIST, STRUCT -> json(Trees.node(value));
      case VALUE -> field.equals("null_value") ? NullValue.NULL_VALUE : json(Trees.node(value));
    };
  }

  private Object checked(String field, Object value) {
    return ranged(
        field, value, empty.getClass().isInstance(value), "unsupported native conversion");
  }

  private Object ranged(String field, Object value, boolean valid, String problem) {
    if (!valid) {
      throw new EvaluationError(
          "field type conversion error for " + typeName + "." + field + " value type: " + problem);
    }
    return value;
  }

  /** A value of JSON, whose numbers are floating-point numbers. */
  private static Object json(Node node) {
    return switch (node) {
      case Node.Int number -> (double) number.value();
      case Node.Items items -> items.values().stream().map(WrapperMessage::json).toList();
      case Node.MapNode map -> {
        Map<String, Object> values = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach((name, value) -> values.put(name, json(value)));
        yield values;
      }
      case Node.Null _, Node.Bool _, Node.Decimal _, Node.Text _ -> Trees.value(node, DataType.DYN);
    };
  }
}
