package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.schema.openapi.operation.TypeNames;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Writes the schemas of one document and remembers what they refer to, until every definition that
 * is reachable has been written. Used by one thread.
 *
 * <p>The shapes are those of kube-openapi's builders: which type has which format, what stands
 * beside a reference, and the {@code x-kubernetes-} extensions that clients merge by.
 */
final class SchemaTrees {

  private static final Map<Scalar, MapNode> PLAIN =
      Map.of(
          Scalar.STRING, scalar("string", ""),
          Scalar.INT32, scalar("integer", "int32"),
          Scalar.INT64, scalar("integer", "int64"),
          Scalar.UINT32, scalar("integer", "int64"),
          Scalar.UINT64, scalar("integer", "int64"),
          Scalar.DOUBLE, scalar("number", "double"),
          Scalar.BOOL, scalar("boolean", ""),
          Scalar.BYTES, scalar("string", "byte"));

  private final Dialect dialect;
  private final Descriptions descriptions;
  private final JsonText json;
  private final Kinds kinds;
  private final Predicate<String> elsewhere;
  private final Map<String, MapNode> references = new HashMap<>();
  private final Deque<SchemaNode> waiting = new ArrayDeque<>();

  SchemaTrees(Dialect dialect, Descriptions descriptions, JsonText json, Kinds kinds) {
    this(dialect, descriptions, json, kinds, _ -> false);
  }

  /**
   * Schemas of a part of a document.
   *
   * @param elsewhere whether another part has the definition of a name
   */
  SchemaTrees(
      Dialect dialect,
      Descriptions descriptions,
      JsonText json,
      Kinds kinds,
      Predicate<String> elsewhere) {
    this.dialect = dialect;
    this.elsewhere = elsewhere;
    this.descriptions = descriptions;
    this.json = json;
    this.kinds = kinds;
  }

  /** A schema that stands alone: a reference if the type has a name. */
  MapNode schema(SchemaNode type) {
    String name = TypeNames.of(type);
    return name.isEmpty() ? inline(type) : reference(name, type);
  }

  /** Every type that has been referred to, directly or by another one, by name. */
  MapNode definitions() {
    Map<String, Node> byName = new TreeMap<>();
    for (SchemaNode next = waiting.poll(); next != null; next = waiting.poll()) {
      byName.put(TypeNames.of(next), definition(next));
    }
    return MapNode.copyOf(byName);
  }

  private MapNode reference(String name, SchemaNode type) {
    MapNode known = references.get(name);
    if (known == null) {
      known = dialect.reference(name);
      references.put(name, known);
      if (!elsewhere.test(name)) {
        waiting.add(type);
      }
    }
    return known;
  }

  private MapNode definition(SchemaNode type) {
    String name = TypeNames.of(type);
    MapNode.Builder schema = MapNode.builder(6);
    putText(schema, "description", descriptions.describe(name));
    switch (type) {
      case StructSchema struct -> putStruct(schema, struct);
      case Scalar.TIME, Scalar.MICRO_TIME -> putScalar(schema, "string", "date-time");
      case Scalar.INT_OR_STRING, Scalar.QUANTITY -> dialect.putAlternatives(schema, (Scalar) type);
      case Scalar other -> putScalar(schema, "string", "");
      case SchemaNode.Free.ANY_JSON -> {}
      case SchemaNode.Free free -> putScalar(schema, "object", "");
      case SchemaNode.Union union -> {}
      case SchemaNode.Structural custom -> throw new IllegalStateException("no name: " + custom);
      case ListOf list -> throw new IllegalStateException("a list has no name: " + list);
      case MapOf map -> throw new IllegalStateException("a map has no name: " + map);
    }
    List<Node> names = kinds.nodes(name);
    if (!names.isEmpty()) {
      schema.put("x-kubernetes-group-version-kind", new Node.Items(names));
    }
    return schema.build();
  }

  private MapNode inline(SchemaNode type) {
    MapNode plain = type instanceof Scalar scalar ? PLAIN.get(scalar) : null;
    if (plain != null) {
      return plain;
    }
    MapNode.Builder schema = MapNode.builder(6);
    putInline(schema, type);
    return schema.build();
  }

  private void putInline(MapNode.Builder schema, SchemaNode type) {
    switch (type) {
      case StructSchema struct -> putStruct(schema, struct);
      case ListOf list -> putList(schema, list, schema(list.element()));
      case MapOf map -> {
        schema.put("type", Node.text("object")).put("additionalProperties", schema(map.value()));
        if (map.atomic()) {
          schema.put("x-kubernetes-map-type", Node.text("atomic"));
        }
      }
      case Scalar scalar -> inline(scalar).forEach(schema::put);
      case SchemaNode.Free free -> throw new IllegalStateException(free + " has a name");
      case SchemaNode.Union union -> throw new IllegalStateException(union + " has a name");
      case SchemaNode.Structural custom ->
          StructuralSchema.of(custom).source().forEach(schema::put);
    }
  }

  private static void putList(MapNode.Builder schema, ListOf list, MapNode items) {
    schema.put("type", Node.text("array")).put("items", items);
    if (!list.wrapped()) {
      if (!list.mapKeys().isEmpty()) {
        schema.put("x-kubernetes-list-map-keys", Node.texts(list.mapKeys()));
      }
      schema.put("x-kubernetes-list-type", Node.text(list.type().name().toLowerCase(Locale.ROOT)));
    }
  }

  private void putStruct(MapNode.Builder schema, StructSchema struct) {
    schema.put("type", Node.text("object"));
    List<String> required = new ArrayList<>();
    Map<String, Node> properties = new TreeMap<>();
    for (Field field : struct.fields()) {
      if (field.rules().required()) {
        required.add(field.name());
      }
      properties.put(field.name(), property(struct, field));
    }
    if (!required.isEmpty()) {
      schema.put("required", Node.texts(required));
    }
    if (!properties.isEmpty()) {
      schema.put("properties", MapNode.copyOf(properties));
    }
    if (struct.atomic()) {
      schema.put("x-kubernetes-map-type", Node.text("atomic"));
    }
    if (struct.openToUnknown()) {
      schema.put("x-kubernetes-preserve-unknown-fields", Node.Bool.TRUE);
    }
    MapNode union = Unions.of(struct.name());
    if (union != null) {
      schema.put("x-kubernetes-unions", new Node.Items(List.of(union)));
    }
  }

  private MapNode property(StructSchema struct, Field field) {
    MapNode.Builder schema = MapNode.builder(6);
    putText(schema, "description", descriptions.describe(struct.name(), field.name()));
    putDefault(schema, field);
    putType(schema, field);
    Field.Rules rules = field.rules();
    putText(schema, "x-kubernetes-patch-merge-key", rules.patchMergeKey());
    putText(schema, "x-kubernetes-patch-strategy", String.join(",", rules.patchStrategies()));
    return schema.build();
  }

  private void putType(MapNode.Builder schema, Field field) {
    SchemaNode type = field.type();
    List<String> known = field.rules().publication().enumeration().stream().sorted().toList();
    String name = TypeNames.of(type);
    if (!name.isEmpty()) {
      StructSchema view = type instanceof StructSchema struct ? struct : null;
      reference(name, view == null ? type : view.declared());
      dialect.putReference(schema, name);
      if (view != null && view != view.declared()) {
        schema.put("x-kubernetes-map-type", Node.text("granular"));
      }
    } else if (!known.isEmpty() && type instanceof ListOf list && list.element() == Scalar.STRING) {
      putList(schema, list, inline(Scalar.STRING).with("enum", Node.texts(known)));
    } else {
      putInline(schema, type);
      if (!known.isEmpty() && type == Scalar.STRING) {
        schema.put("enum", Node.texts(known));
      }
      if (type == Scalar.BYTES && field.rules().publication().listType()) {
        schema.put("x-kubernetes-list-type", Node.text("atomic"));
      }
    }
  }

  /** What the server fills in; a field that is always written shows its zero value. */
  private void putDefault(MapNode.Builder schema, Field field) {
    if (!dialect.showsDefaults()) {
      return;
    }
    boolean always = field.presence() == Field.Presence.ALWAYS;
    boolean byValue =
        field.presence() == Field.Presence.VALUE || field.presence() == Field.Presence.OMIT_ZERO;
    Field.Rules rules = field.rules();
    if (!rules.defaultJson().isEmpty() && rules.publication().showsDefault()) {
      schema.put("default", json.read(rules.defaultJson()));
    } else if (byValue && field.type() instanceof StructSchema) {
      schema.put("default", MapNode.EMPTY);
    } else if (always && field.type() instanceof Scalar scalar) {
      switch (scalar) {
        case STRING -> schema.put("default", Node.text(""));
        case BOOL -> schema.put("default", Node.Bool.FALSE);
        case INT32, INT64, UINT32, UINT64, DOUBLE -> schema.put("default", new Node.Int(0));
        case BYTES, TIME, MICRO_TIME, DURATION, INT_OR_STRING, QUANTITY -> {
          // Kubernetes shows none for types that write themselves.
        }
      }
    }
  }

  private static void putText(MapNode.Builder schema, String key, String value) {
    if (!value.isEmpty()) {
      schema.put(key, Node.text(value));
    }
  }

  private static void putScalar(MapNode.Builder schema, String type, String format) {
    schema.put("type", Node.text(type));
    putText(schema, "format", format);
  }

  private static MapNode scalar(String type, String format) {
    MapNode.Builder schema = MapNode.builder(2);
    putScalar(schema, type, format);
    return schema.build();
  }
}
