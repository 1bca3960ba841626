package dev.keelson.schema.openapi.custom;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A structural schema as a document shows it. What structural schemas cannot have is left out, an
 * integer or string shows its alternatives, and an embedded object has the fields of objects.
 * Swagger 2.0 has no alternatives and no null, and kubectl rejects what such a schema does not
 * list, so there a value that may be null or anything has no type and no parts.
 */
public final class PublishedSchema {

  private static final String REQUIRED = "required";
  private static final String PROPERTIES = "properties";
  private static final String ADDITIONAL = "additionalProperties";
  private static final String EMBEDDED = "x-kubernetes-embedded-resource";
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final String NULLABLE = "nullable";

  private static final Items INTEGER_OR_STRING =
      new Items(
          List.of(
              MapNode.of("type", Node.text("integer")), MapNode.of("type", Node.text("string"))));

  private final boolean swagger;
  private final ObjectFields embedded;

  private PublishedSchema(boolean swagger, ObjectFields embedded) {
    this.swagger = swagger;
    this.embedded = embedded;
  }

  /**
   * The schema in OpenAPI 3.0.
   *
   * @param declared a JSONSchemaProps
   * @param embedded the fields of embedded objects
   */
  public static MapNode v3(MapNode declared, ObjectFields embedded) {
    return new PublishedSchema(/* swagger= */ false, embedded).schema(declared);
  }

  /**
   * The schema in Swagger 2.0.
   *
   * @param declared a JSONSchemaProps
   * @param embedded the fields of embedded objects
   */
  public static MapNode v2(MapNode declared, ObjectFields embedded) {
    return new PublishedSchema(/* swagger= */ true, embedded).schema(declared);
  }

  private static boolean flag(MapNode schema, String name) {
    return schema.get(name) == Bool.TRUE;
  }

  private MapNode schema(MapNode declared) {
    boolean open = flag(declared, PRESERVE);
    MapNode shown = swagger ? withoutParts(declared, open) : unfolded(declared);
    MapNode.Builder schema = MapNode.builder(shown.size() + 2);
    MapNode properties = MapNode.EMPTY;
    Items required = Items.EMPTY;
    for (int i = 0; i < shown.size(); i++) {
      Node value = shown.valueAt(i);
      switch (shown.keyAt(i)) {
        case PROPERTIES -> properties = properties((MapNode) value);
        case REQUIRED -> required = (Items) value;
        default -> put(schema, shown.keyAt(i), value);
      }
    }
    if (flag(shown, EMBEDDED) && !(swagger && open)) {
      properties = embedded.in(properties);
      required = with(with(required, "kind"), "apiVersion");
    }
    if (!required.values().isEmpty()) {
      schema.put(REQUIRED, required);
    }
    if (!properties.isEmpty()) {
      schema.put(PROPERTIES, properties);
    }
    return schema.build();
  }

  private MapNode properties(MapNode declared) {
    Map<String, Node> properties = new TreeMap<>();
    declared.forEach((name, schema) -> properties.put(name, schema((MapNode) schema)));
    return MapNode.copyOf(properties);
  }

  private static Items with(Items names, String name) {
    Text text = Node.text(name);
    if (names.values().contains(text)) {
      return names;
    }
    List<Node> more = new ArrayList<>(names.values());
    more.add(text);
    return new Items(more);
  }

  /** Adds a keyword that structural schemas have, if it says anything. */
  private void put(MapNode.Builder schema, String key, Node value) {
    switch (key) {
      case "type", "format", "title", "description", "pattern" -> {
        if (value instanceof Text(String text) && !text.isEmpty()) {
          schema.put(key, value);
        }
      }
      case NULLABLE,
          "exclusiveMaximum",
          "exclusiveMinimum",
          "uniqueItems",
          PRESERVE,
          EMBEDDED,
          "x-kubernetes-int-or-string" -> {
        if (value == Bool.TRUE) {
          schema.put(key, value);
        }
      }
      case "maximum",
          "minimum",
          "maxLength",
          "minLength",
          "maxItems",
          "minItems",
          "maxProperties",
          "minProperties",
          "multipleOf",
          "externalDocs",
          "x-kubernetes-list-type",
          "x-kubernetes-map-type" ->
          schema.put(key, value);
      case "default" -> {
        // kube-apiserver shows no defaults in Swagger 2.0
        if (!swagger && value != Node.Null.NULL) {
          schema.put(key, value);
        }
      }
      case "enum", "x-kubernetes-list-map-keys", "x-kubernetes-validations" -> {
        if (value instanceof Items items && !items.values().isEmpty()) {
          schema.put(key, value);
        }
      }
      case "allOf", "anyOf", "oneOf" -> {
        if (value instanceof Items items && !items.values().isEmpty()) {
          schema.put(
              key,
              new Items(
                  items.values().stream().<Node>map(item -> schema((MapNode) item)).toList()));
        }
      }
      case "not", "items" -> {
        if (value instanceof MapNode inner) {
          schema.put(key, schema(inner));
        }
      }
      case ADDITIONAL -> schema.put(key, value instanceof MapNode inner ? schema(inner) : value);
      default -> {
        // no keyword of structural schemas
      }
    }
  }

  /** The schema with the alternatives of an integer or string, unless it lists them itself. */
  private static MapNode unfolded(MapNode schema) {
    if (!flag(schema, "x-kubernetes-int-or-string")
        || schema.items("anyOf").equals(INTEGER_OR_STRING.values())
        || (schema.maps("allOf").size() > 0
            && schema.maps("allOf").getFirst().items("anyOf").equals(INTEGER_OR_STRING.values()))) {
      return schema;
    }
    if (schema.items("anyOf").isEmpty()) {
      return schema.with("anyOf", INTEGER_OR_STRING);
    }
    List<Node> all = new ArrayList<>();
    all.add(MapNode.of("anyOf", INTEGER_OR_STRING));
    all.addAll(schema.items("allOf"));
    return schema.with("allOf", new Items(all));
  }

  /** The schema without what Swagger 2.0 does not have and kubectl does not understand. */
  private static MapNode withoutParts(MapNode schema, boolean open) {
    boolean nullable = flag(schema, NULLABLE);
    MapNode shown = schema.without("allOf").without("anyOf").without("oneOf").without("not");
    if (nullable) {
      shown = shown.without(NULLABLE).without("type");
    }
    if (nullable || open) {
      shown = shown.without("items").without(PROPERTIES);
    }
    String type = shown.text("type");
    if ((type.equals("array") && !shown.has("items")) || (type.equals("object") && open)) {
      shown = shown.without("type");
    }
    return withoutNullable(shown);
  }

  /** The schema that requires no field that may be null. */
  private static MapNode withoutNullable(MapNode schema) {
    List<Node> required = schema.items(REQUIRED);
    if (required.isEmpty()) {
      return schema;
    }
    if (flag(schema.map(ADDITIONAL), NULLABLE)) {
      return schema.without(REQUIRED);
    }
    MapNode properties = schema.map(PROPERTIES);
    List<Node> kept =
        required.stream()
            .filter(
                name ->
                    !(name instanceof Text(String text) && flag(properties.map(text), NULLABLE)))
            .toList();
    return schema.with(REQUIRED, new Items(kept));
  }
}
