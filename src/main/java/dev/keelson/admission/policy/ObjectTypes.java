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
import java.util.Optional;
import java.util.Set;

/**
 * The types of objects as expressions are checked against them. As in Kubernetes, what the OpenAPI
 * schemas have no type for is not declared, so that expressions cannot name it: quantities, JSON of
 * any kind, and lists and maps of these.
 */
final class ObjectTypes {

  /*
   * Not constants: the classes of cel are initialized at run time, so that no object of theirs may
   * be in the heap of the native executable.
   */
  private final DataType text = DataType.simple(Kind.STRING, "string", 0, 0);
  private final DataType bytes = DataType.simple(Kind.BYTES, "bytes", 0, 0);
  private final DataType time = DataType.simple(Kind.DATE_TIME, "timestamp", 0, 0);

  /** The structs around, as types may contain themselves: the inner one has no fields. */
  private final Set<String> around = new HashSet<>();

  private ObjectTypes() {}

  /** The type of the objects of a schema. */
  static DataType of(StructSchema schema, String kind) {
    return new ObjectTypes().struct(schema, kind);
  }

  private Optional<DataType> type(SchemaNode node, String name) {
    return switch (node) {
      case Scalar scalar ->
          switch (scalar) {
            case STRING, DURATION -> Optional.of(text);
            case INT32, INT64, UINT32, UINT64 -> Optional.of(DataType.INT);
            case DOUBLE -> Optional.of(DataType.DOUBLE);
            case BOOL -> Optional.of(DataType.BOOL);
            case BYTES -> Optional.of(bytes);
            case TIME, MICRO_TIME -> Optional.of(time);
            case INT_OR_STRING -> Optional.of(DataType.DYN);
            case QUANTITY -> Optional.empty();
          };
      case StructSchema struct -> Optional.of(struct(struct, name));
      case MapOf map -> type(map.value(), name + ".@elem").map(value -> DataType.map(value, 0));
      case ListOf list ->
          type(list.element(), name + ".@idx")
              .map(element -> DataType.list(element, ListKind.ATOMIC, List.of(), 0));
      case SchemaNode.Structural custom -> {
        StructuralSchema schema = StructuralSchema.of(custom);
        yield SchemaTypes.of(schema, name, schema.isEmbeddedResource());
      }
      case SchemaNode.Free free ->
          switch (free) {
            case RAW_JSON, FIELDS_V1 -> Optional.of(DataType.object(name, Map.of(), 0));
            case ANY_JSON -> Optional.empty();
          };
      case SchemaNode.Union _ -> Optional.empty();
    };
  }

  private DataType struct(StructSchema struct, String name) {
    if (!around.add(struct.name())) {
      return DataType.object(name, Map.of(), 0);
    }
    Map<String, DataType> fields = new HashMap<>();
    for (SchemaNode.Field field : struct.fields()) {
      if (FieldNames.isNameable(field.name())) {
        type(field.type(), name + "." + field.name())
            .ifPresent(type -> fields.put(FieldNames.escape(field.name()), type));
      }
    }
    around.remove(struct.name());
    return DataType.object(name, fields, 0);
  }
}
