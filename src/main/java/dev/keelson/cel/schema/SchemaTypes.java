package dev.keelson.cel.schema;

import dev.keelson.cel.type.DataType;
import dev.keelson.cel.type.DataType.Kind;
import dev.keelson.cel.type.FieldNames;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.StructuralSchema;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The types of data that a structural schema declares (source: Kubernetes'
 * apiserver/pkg/cel/common/schemas.go). Sizes are limits for the estimate of costs: those that the
 * schema declares, or what fits into a request.
 */
public final class SchemaTypes {

  /** The name of the type of a place that is seen for itself; those of its parts begin with it. */
  static final String NAME = "selfType";

  /** Size of the largest request, in bytes. */
  static final long REQUEST_BYTES = 3 * 1024 * 1024;

  private static final long MIN_STRING = 2;
  private static final long MIN_DURATION = 3;
  private static final long MAX_DURATION = 32;
  private static final long DATE = 12;
  private static final long MIN_DATE_TIME = 21;
  private static final long MAX_DATE_TIME = 32;

  private static final List<String> TYPE_AND_METADATA = List.of("apiVersion", "kind", "metadata");

  private SchemaTypes() {}

  /**
   * The type of a value.
   *
   * @param name the name of the type if it is an object; those of its parts begin with it
   * @param root whether the value is an object with apiVersion, kind and metadata: the root of a
   *     custom resource, or embedded
   * @return empty if expressions cannot see such values
   */
  public static Optional<DataType> of(StructuralSchema schema, String name, boolean root) {
    MapNode source = schema.source();
    return switch (schema.type()) {
      case INT_OR_STRING ->
          Optional.of(DataType.simple(Kind.DYN, "dyn", maxLength(source, REQUEST_BYTES - 2), 1));
      case BOOLEAN -> Optional.of(DataType.BOOL);
      case INTEGER -> Optional.of(DataType.INT);
      case NUMBER -> Optional.of(DataType.DOUBLE);
      case STRING -> Optional.of(text(source));
      case ARRAY -> list(schema, name);
      case OBJECT -> object(schema, name, root);
      case ANY -> root ? object(schema, name, true) : Optional.empty();
    };
  }

  private static DataType text(MapNode source) {
    return switch (source.text("format")) {
      case "byte" -> {
        long most = number(source, "maxLength", REQUEST_BYTES - 2);
        yield DataType.simple(Kind.BYTES, "bytes", most, MIN_STRING);
      }
      case "duration" -> DataType.simple(Kind.DURATION, "duration", MAX_DURATION, MIN_DURATION);
      case "date" -> DataType.simple(Kind.DATE, "timestamp", DATE, DATE);
      case "date-time" ->
          DataType.simple(Kind.DATE_TIME, "timestamp", MAX_DATE_TIME, MIN_DATE_TIME);
      default -> {
        long most =
            !source.items("enum").isEmpty() ? longest(source.items("enum")) : REQUEST_BYTES - 2;
        yield DataType.simple(Kind.STRING, "string", maxLength(source, most), MIN_STRING);
      }
    };
  }

  /** A character may take four bytes. */
  private static long maxLength(MapNode source, long otherwise) {
    return source.get("maxLength") instanceof Node.Int most
        ? Math.max(0, Math.min(most.value(), Long.MAX_VALUE / 4)) * 4
        : otherwise;
  }

  private static long number(MapNode source, String name, long otherwise) {
    return source.get(name) instanceof Node.Int number ? Math.max(0, number.value()) : otherwise;
  }

  private static long longest(List<Node> values) {
    long most = 0;
    for (Node value : values) {
      if (value instanceof Node.Text text) {
        most = Math.max(most, bytes(text.value()));
      }
    }
    return most;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  private static Optional<DataType> list(StructuralSchema schema, String name) {
    StructuralSchema items = schema.items();
    if (items == null) {
      return Optional.empty();
    }
    return of(items, name + ".@idx", items.isEmbeddedResource())
        .map(
            element ->
                DataType.list(
                    element,
                    DataType.ListKind.valueOf(schema.listType().name()),
                    schema.mapKeys(),
                    number(
                        schema.source(),
                        "maxItems",
                        (REQUEST_BYTES - 2) / (element.minSize() + 1))));
  }

  private static Optional<DataType> object(StructuralSchema schema, String name, boolean root) {
    StructuralSchema values = schema.additionalProperties();
    if (values != null) {
      return of(values, name + ".@elem", values.isEmbeddedResource())
          .map(
              value ->
                  DataType.map(
                      value,
                      number(
                          schema.source(),
                          "maxProperties",
                          (REQUEST_BYTES - 2) / (value.minSize() + 6))));
    }
    Map<String, DataType> fields = new TreeMap<>();
    Set<String> required = required(schema.source());
    boolean typed = root && !declaresTypeAndMetadata(schema);
    // an object is at least {}
    long least = 2;
    for (Map.Entry<String, StructuralSchema> property : schema.properties().entrySet()) {
      String field = property.getKey();
      StructuralSchema declared = property.getValue();
      if (typed && isTypeOrMetadata(field)) {
        continue;
      }
      Optional<DataType> type = of(declared, name + "." + field, declared.isEmbeddedResource());
      if (type.isEmpty()) {
        continue;
      }
      if (FieldNames.isNameable(field)) {
        fields.put(FieldNames.escape(field), type.get());
      }
      if (required.contains(field) && declared.defaultValue() == null) {
        least += leastSize(field, type.get());
      }
    }
    if (typed) {
      addTypeAndMetadata(fields, name);
      for (String field : TYPE_AND_METADATA) {
        DataType type = Objects.requireNonNull(fields.get(field));
        least += required.contains(field) ? leastSize(field, type) : 0;
      }
    }
    return Optional.of(DataType.object(name, fields, least));
  }

  /** Minimum size of a field with its name, as JSON, in bytes. */
  private static long leastSize(String field, DataType type) {
    return bytes(field) + type.minSize() + 4;
  }

  private static boolean isTypeOrMetadata(String field) {
    return TYPE_AND_METADATA.contains(field);
  }

  /** Whether a schema declares all that is added to the root of an object otherwise. */
  private static boolean declaresTypeAndMetadata(StructuralSchema schema) {
    StructuralSchema metadata = schema.properties().get("metadata");
    return metadata != null
        && metadata.source().text("type").equals("object")
        && isString(schema, "apiVersion")
        && isString(schema, "kind")
        && isString(metadata, "name")
        && isString(metadata, "generateName");
  }

  private static boolean isString(StructuralSchema schema, String field) {
    StructuralSchema declared = schema.properties().get(field);
    return declared != null && declared.source().text("type").equals("string");
  }

  private static void addTypeAndMetadata(Map<String, DataType> fields, String name) {
    DataType text = DataType.simple(Kind.STRING, "string", REQUEST_BYTES - 2, MIN_STRING);
    fields.put("apiVersion", text);
    fields.put("kind", text);
    fields.put(
        "metadata",
        DataType.object(name + ".metadata", Map.of("name", text, "generateName", text), 2));
  }

  private static Set<String> required(MapNode source) {
    Set<String> names = new HashSet<>();
    for (Node name : source.items("required")) {
      if (name instanceof Node.Text text) {
        names.add(text.value());
      }
    }
    return names;
  }
}
