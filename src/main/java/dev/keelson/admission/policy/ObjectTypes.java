package dev.keelson.admission.policy;

import dev.keelson.cel.schema.SchemaTypes;
import dev.keelson.cel.type.DataType;
import dev.keelson.cel.type.DataType.Kind;
import dev.keelson.cel.type.DataType.ListKind;
import dev.keelson.cel.type.FieldNames;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StructuralSchema;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The types of objects as expressions are checked against them. */
final class ObjectTypes {

  /*
   * Not constants: the classes of cel are initialized at run time, so that no object of theirs may
   * be in the heap of the native executable.
   */
  private final DataType text = DataType.simple(Kind.STRING, "string", 0, 0);
  private final DataType bytes = DataType.simple(Kind.BYTES, "bytes", 0, 0);
  private final DataType time = DataType.simple(Kind.DATE_TIME, "timestamp", 0, 0);

  /** The structs around, as types may contain themselves: the inner one is dynamically typed. */
  private final Set<String> around = new HashSet<>();

  private ObjectTypes() {}

  /** The type of the objects of a schema. */
  static DataType of(StructSchema schema, String kind) {
    return new ObjectTypes().struct(schema, kind);
  }

  private DataType type(SchemaNode node, String name) {
    return switch (node) {
      case Scalar scalar ->
          switch (scalar) {
            case STRING, DURATION -> text;
            case INT32, INT64, UINT32, UINT64 -> DataType.INT;
            case DOUBLE -> DataType.DOUBLE;
            case BOOL -> DataType.BOOL;
            case BYTES -> bytes;
            case TIME, MICRO_TIME -> time;
            case QUANTITY, INT_OR_STRING -> DataType.DYN;
          };
      case StructSchema struct -> struct(struct, name);
      case MapOf map -> DataType.map(type(map.value(), name + ".@elem"), 0);
      case ListOf list ->
          DataType.list(type(list.element(), name + ".@idx"), ListKind.ATOMIC, List.of(), 0);
      case SchemaNode.Structural custom ->
          SchemaTypes.of(StructuralSchema.of(custom), name, false).orElse(DataType.DYN);
      case SchemaNode.Free _, SchemaNode.Union _ -> DataType.DYN;
    };
  }

  private DataType struct(StructSchema struct, String name) {
    if (struct.openToUnknown() || !around.add(struct.name())) {
      return DataType.DYN;
    }
    Map<String, DataType> fields = new HashMap<>();
    for (SchemaNode.Field field : struct.fields()) {
      if (FieldNames.isNameable(field.name())) {
        fields.put(FieldNames.escape(field.name()), type(field.type(), name + "." + field.name()));
      }
    }
    around.remove(struct.name());
    return DataType.object(name, fields, 0);
  }
}
