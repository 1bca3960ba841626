package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.Free;
import dev.keelson.schema.SchemaNode.ListOf;
import dev.keelson.schema.SchemaNode.ListType;
import dev.keelson.schema.SchemaNode.MapOf;
import dev.keelson.schema.SchemaNode.Scalar;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StructuralSchema;
import dev.keelson.work.Turn;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Ownership by the schema. */
final class Shapes {

  private Shapes() {}

  /** How the value at a place is owned. */
  enum Kind {
    /** As a whole. */
    LEAF,
    /** Field by field, or key by key. */
    MAP,
    /** Item by item, each known by its keys or its value. */
    LIST
  }

  /**
   * How a value is owned. Values without a schema: objects key by key, everything else as a whole.
   */
  static Kind kind(SchemaNode schema, @Nullable Node left, @Nullable Node right) {
    return switch (schema) {
      case Scalar _ -> Kind.LEAF;
      case StructSchema struct -> struct.atomic() ? Kind.LEAF : Kind.MAP;
      case MapOf map -> map.atomic() ? Kind.LEAF : Kind.MAP;
      case ListOf list -> list.type() == ListType.ATOMIC ? Kind.LEAF : Kind.LIST;
      case Free _, SchemaNode.Union _ -> untyped(left, right);
      case SchemaNode.Structural custom -> kind(StructuralSchema.of(custom), left, right);
    };
  }

  private static Kind kind(StructuralSchema custom, @Nullable Node left, @Nullable Node right) {
    return switch (custom.type()) {
      case OBJECT -> custom.isAtomicMap() ? Kind.LEAF : Kind.MAP;
      case ARRAY -> custom.listType() == ListType.ATOMIC ? Kind.LEAF : Kind.LIST;
      case STRING, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING -> Kind.LEAF;
      case ANY -> untyped(left, right);
    };
  }

  /** Whether a type with parts is owned as a whole. */
  static boolean isAtomic(SchemaNode schema) {
    return switch (schema) {
      case StructSchema struct -> struct.atomic();
      case MapOf map -> map.atomic();
      case ListOf list -> list.type() == ListType.ATOMIC;
      case SchemaNode.Structural custom -> {
        StructuralSchema type = StructuralSchema.of(custom);
        yield switch (type.type()) {
          case OBJECT -> type.isAtomicMap();
          case ARRAY -> type.listType() == ListType.ATOMIC;
          case STRING, INTEGER, NUMBER, BOOLEAN, INT_OR_STRING, ANY -> false;
        };
      }
      case Scalar _, Free _, SchemaNode.Union _ -> false;
    };
  }

  private static Kind untyped(@Nullable Node left, @Nullable Node right) {
    return isMapOrUnset(left) && isMapOrUnset(right) ? Kind.MAP : Kind.LEAF;
  }

  private static boolean isMapOrUnset(@Nullable Node node) {
    return node == null || node == Node.Null.NULL || node instanceof MapNode;
  }

  /** The shape of the value of the field or key {@code name}. */
  static SchemaNode field(SchemaNode schema, String name) {
    return switch (schema) {
      case StructSchema struct -> {
        Field field = struct.field(name);
        yield field == null ? Free.RAW_JSON : field.type();
      }
      case MapOf map -> map.value();
      case SchemaNode.Structural custom -> field(StructuralSchema.of(custom), name);
      case ListOf _, Scalar _, Free _, SchemaNode.Union _ -> Free.RAW_JSON;
    };
  }

  private static SchemaNode field(StructuralSchema custom, String name) {
    StructuralSchema declared = custom.properties().get(name);
    StructuralSchema values = declared == null ? custom.additionalProperties() : declared;
    return values == null ? Free.RAW_JSON : values;
  }

  /** The shape of what is one step below. */
  static SchemaNode below(SchemaNode schema, String element) {
    if (PathElement.isField(element)) {
      return field(schema, element.substring(2));
    }
    return switch (schema) {
      case ListOf list -> list.element();
      case SchemaNode.Structural custom -> element(StructuralSchema.of(custom));
      case StructSchema _, MapOf _, Scalar _, Free _, SchemaNode.Union _ -> Free.RAW_JSON;
    };
  }

  private static SchemaNode element(StructuralSchema custom) {
    StructuralSchema items = custom.items();
    return items == null ? Free.RAW_JSON : items;
  }

  /** The shape of a list, which {@link #kind} calls {@link Kind#LIST}. */
  static ListOf list(SchemaNode schema) {
    if (schema instanceof SchemaNode.Structural structural) {
      StructuralSchema custom = StructuralSchema.of(structural);
      return new ListOf(element(custom), custom.listType(), custom.mapKeys(), false);
    }
    return (ListOf) schema;
  }

  /** Whether the type declares the field. */
  static boolean declares(SchemaNode schema, String name) {
    return schema instanceof StructSchema struct
        ? struct.indexOf(name) >= 0
        : schema instanceof SchemaNode.Structural custom
            && StructuralSchema.of(custom).properties().containsKey(name);
  }

  /**
   * The value that a struct has for a field that its tree lacks: fields that Kubernetes' types hold
   * by value, or always print, are present even when not set, and so no write adds them.
   */
  static @Nullable Node unset(SchemaNode schema, String name) {
    if (!(schema instanceof StructSchema struct)) {
      return null;
    }
    Field field = struct.field(name);
    if (field == null) {
      return null;
    }
    return switch (field.presence()) {
      case POINTER, OMIT_EMPTY, OMIT_ZERO -> null;
      case NULLABLE -> Node.Null.NULL;
      case VALUE -> field.type() instanceof StructSchema ? MapNode.EMPTY : Node.Null.NULL;
      case ALWAYS -> zero(field.type());
    };
  }

  private static Node zero(SchemaNode type) {
    return switch (type) {
      case StructSchema _ -> MapNode.EMPTY;
      case Scalar scalar ->
          switch (scalar) {
            case STRING -> Node.text("");
            case INT32, INT64, UINT32, UINT64, DOUBLE, INT_OR_STRING -> new Node.Int(0);
            case BOOL -> Node.Bool.FALSE;
            case BYTES, TIME, MICRO_TIME -> Node.Null.NULL;
            case DURATION -> Node.text("0s");
            case QUANTITY -> Node.text("0");
          };
      case ListOf _, MapOf _, Free _, SchemaNode.Union _, SchemaNode.Structural _ -> Node.Null.NULL;
    };
  }

  /**
   * The element of a path that names an item of a list. A key that the item lacks takes its
   * default; one without a default is left out.
   */
  static String item(ListOf list, Node item) {
    Turn.pass();
    if (list.type() == ListType.SET || !(item instanceof MapNode map)) {
      return PathElement.value(item);
    }
    Map<String, Node> keys = new TreeMap<>();
    for (String key : list.mapKeys()) {
      Node value = map.get(key);
      if (value == null || value == Node.Null.NULL) {
        value = defaultKey(list, key);
      }
      if (value != null) {
        keys.put(key, value);
      }
    }
    return PathElement.key(keys);
  }

  /** The default of the key field of a list, or null if it has none. */
  static @Nullable Node defaultKey(ListOf list, String key) {
    if (list.element() instanceof SchemaNode.Structural custom) {
      StructuralSchema property = StructuralSchema.of(custom).properties().get(key);
      return property == null ? null : property.defaultValue();
    }
    Field field = list.element() instanceof StructSchema struct ? struct.field(key) : null;
    if (field == null) {
      return null;
    }
    String json = field.rules().defaultJson();
    return json.isEmpty() ? null : FlatJson.value(json);
  }
}
