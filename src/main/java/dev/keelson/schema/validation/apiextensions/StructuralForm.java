package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import org.jspecify.annotations.Nullable;

/** Tells why a schema cannot be read as a structural one (NewStructural). */
final class StructuralForm {

  private StructuralForm() {}

  /** The first reason, empty if there is none. */
  static String problem(@Nullable Node schema) {
    return schema instanceof MapNode map ? problemOf(map) : "";
  }

  private static String problemOf(MapNode schema) {
    String unsupported = unsupported(schema);
    if (!unsupported.isEmpty()) {
      return "OpenAPIV3Schema '" + unsupported + "' is not supported";
    }
    String found = nested(schema.get("not"));
    found = found.isEmpty() ? eachNested(schema.get("allOf")) : found;
    found = found.isEmpty() ? eachNested(schema.get("anyOf")) : found;
    found = found.isEmpty() ? eachNested(schema.get("oneOf")) : found;
    found = found.isEmpty() ? below(schema.get("additionalProperties")) : found;
    if (found.isEmpty() && schema.get("x-kubernetes-preserve-unknown-fields") == Node.Bool.FALSE) {
      return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
    }
    if (found.isEmpty() && schema.get("items") instanceof Items) {
      return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    }
    found = found.isEmpty() ? below(schema.get("items")) : found;
    MapNode properties = schema.map("properties");
    for (int i = 0; i < properties.size() && found.isEmpty(); i++) {
      found = below(properties.valueAt(i));
    }
    return found;
  }

  private static String unsupported(MapNode schema) {
    if (!schema.text("id").isEmpty()) {
      return "id";
    }
    if (!schema.text("$schema").isEmpty()) {
      return "schema";
    }
    if (!schema.text("$ref").isEmpty()) {
      return "$ref";
    }
    if (!schema.map("patternProperties").isEmpty()) {
      return "patternProperties";
    }
    if (!schema.map("dependencies").isEmpty()) {
      return "dependencies";
    }
    if (schema.has("additionalItems")) {
      return "additionalItems";
    }
    return schema.map("definitions").isEmpty() ? "" : "definitions";
  }

  private static String below(@Nullable Node schema) {
    return schema instanceof MapNode map ? problemOf(map) : "";
  }

  private static String nested(@Nullable Node schema) {
    return below(schema);
  }

  private static String eachNested(@Nullable Node list) {
    String found = "";
    if (list instanceof Items items) {
      for (int i = 0; i < items.values().size() && found.isEmpty(); i++) {
        found = nested(items.values().get(i));
      }
    }
    return found;
  }
}
