package dev.keelson.schema;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shape of a value of a custom resource: one place of a structural schema (source: {@code
 * apiextensions.k8s.io/v1}, JSONSchemaProps). It decides what is pruned, what is filled in and how
 * server-side apply owns the value; unlike the shapes of built-in types it does not type the value:
 * a value of the wrong type is read as it is and rejected by validation. Immutable.
 */
public final class StructuralSchema implements SchemaNode.Structural {

  /** The JSON type that a schema asks for. */
  public enum Type {
    /** No {@code type}: any value. */
    ANY,
    OBJECT,
    ARRAY,
    STRING,
    INTEGER,
    NUMBER,
    BOOLEAN,
    /** {@code x-kubernetes-int-or-string}. */
    INT_OR_STRING
  }

  private final MapNode source;
  private final Type type;
  private final Map<String, StructuralSchema> properties;
  private final @Nullable StructuralSchema additionalProperties;
  private final boolean additionalDeclared;
  private final boolean additionalAllowed;
  private final @Nullable StructuralSchema items;
  private final ListType listType;
  private final List<String> mapKeys;

  private StructuralSchema(MapNode source) {
    this.source = source;
    this.type = type(source);
    Map<String, StructuralSchema> parsed = new TreeMap<>();
    source
        .map("properties")
        .forEach((name, schema) -> parsed.put(name, new StructuralSchema(asMap(schema))));
    this.properties = Collections.unmodifiableMap(parsed);
    Node additional = source.get("additionalProperties");
    this.additionalProperties =
        additional instanceof MapNode schema ? new StructuralSchema(schema) : null;
    this.additionalDeclared = additional != null && additional != Node.Null.NULL;
    this.additionalAllowed = additional instanceof MapNode || additional == Node.Bool.TRUE;
    this.items =
        source.get("items") instanceof MapNode schema ? new StructuralSchema(schema) : null;
    this.listType =
        switch (source.text("x-kubernetes-list-type")) {
          case "set" -> ListType.SET;
          case "map" -> ListType.MAP;
          default -> ListType.ATOMIC;
        };
    this.mapKeys =
        source.items("x-kubernetes-list-map-keys").stream()
            .filter(Text.class::isInstance)
            .map(key -> ((Text) key).value())
            .toList();
  }

  /**
   * The schema that a declaration describes. Tolerant: validation of the definition reports what is
   * wrong with it.
   *
   * @param source the tree of a JSONSchemaProps, for example {@code schema.openAPIV3Schema}
   */
  public static StructuralSchema of(MapNode source) {
    return new StructuralSchema(source);
  }

  /** The schema that a shape of a custom value is. */
  public static StructuralSchema of(SchemaNode.Structural shape) {
    return (StructuralSchema) shape;
  }

  private static MapNode asMap(Node node) {
    return node instanceof MapNode map ? map : MapNode.EMPTY;
  }

  private static Type type(MapNode source) {
    if (flag(source, "x-kubernetes-int-or-string")) {
      return Type.INT_OR_STRING;
    }
    String name = source.text("type");
    return switch (name) {
      case "object", "array", "string", "integer", "number", "boolean" ->
          Type.valueOf(name.toUpperCase(Locale.ROOT));
      default -> Type.ANY;
    };
  }

  private static boolean flag(MapNode source, String name) {
    return source.get(name) == Node.Bool.TRUE;
  }

  /** The declaration of this place, for validation, expressions and documents. */
  public MapNode source() {
    return source;
  }

  public Type type() {
    return type;
  }

  /** Whether JSON null is a value. */
  public boolean nullable() {
    return flag(source, "nullable");
  }

  /** Whether undeclared fields are kept ({@code x-kubernetes-preserve-unknown-fields}). */
  public boolean preservesUnknownFields() {
    return flag(source, "x-kubernetes-preserve-unknown-fields");
  }

  /** Whether the value is an object with apiVersion, kind and metadata of its own. */
  public boolean isEmbeddedResource() {
    return flag(source, "x-kubernetes-embedded-resource");
  }

  /** The declared fields by name, in the order of their names. */
  public Map<String, StructuralSchema> properties() {
    return properties;
  }

  /** The shape of the values of undeclared keys; null if there is none. */
  public @Nullable StructuralSchema additionalProperties() {
    return additionalProperties;
  }

  /** Whether undeclared keys are kept: {@code additionalProperties} is a schema or true. */
  public boolean allowsAdditionalProperties() {
    return additionalAllowed;
  }

  /**
   * Whether {@code additionalProperties} is declared at all, be it as false: then undeclared keys
   * are not pruned, but left for validation.
   */
  public boolean declaresAdditionalProperties() {
    return additionalDeclared;
  }

  /** The shape of the elements of an array; null if it is not declared. */
  public @Nullable StructuralSchema items() {
    return items;
  }

  /** How server-side apply owns an array. */
  public ListType listType() {
    return listType;
  }

  /** The fields that name an element of a {@link ListType#MAP} array; empty for the others. */
  public List<String> mapKeys() {
    return mapKeys;
  }

  /** Whether server-side apply owns an object as a whole. */
  public boolean isAtomicMap() {
    return source.text("x-kubernetes-map-type").equals("atomic");
  }

  /** The value that is filled in where the field is missing; null if there is none. */
  public @Nullable Node defaultValue() {
    return source.get("default");
  }

  /** The rules in CEL ({@code x-kubernetes-validations}); empty if there are none. */
  public List<MapNode> validations() {
    return source.get("x-kubernetes-validations") instanceof Items
        ? source.maps("x-kubernetes-validations")
        : List.of();
  }

  /** Two places are the same shape if they are declared alike. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StructuralSchema schema && schema.source.equals(source);
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }
}
