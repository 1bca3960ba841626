package dev.keelson.schema.openapi.gnostic;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reduces a Swagger 2.0 document of another server to what {@link Gnostic} writes: keys that the
 * messages do not have and values of another type are left out.
 */
public final class Gnostic2Filter {

  private static final Set<String> METHODS =
      Set.of("get", "put", "post", "delete", "options", "head", "patch");

  private Gnostic2Filter() {}

  /** The paths of a document. */
  public static MapNode paths(MapNode paths) {
    return each(paths, path -> object(path, Gnostic2Filter::pathItemField));
  }

  /** The definitions of a document. */
  public static MapNode definitions(MapNode definitions) {
    return each(definitions, Gnostic2Filter::schema);
  }

  /** The parameters of a document. */
  public static MapNode parameters(MapNode parameters) {
    MapNode.Builder kept = MapNode.builder(parameters.size());
    each(parameters, Gnostic2Filter::parameter)
        .forEach(
            (name, parameter) -> {
              if (!parameter.equals(MapNode.EMPTY)) {
                kept.put(name, parameter);
              }
            });
    return kept.build();
  }

  /** What is left of a field; null if nothing is. */
  @FunctionalInterface
  private interface Field {
    @Nullable Node of(String key, Node value);
  }

  private static MapNode object(MapNode sent, Field field) {
    MapNode.Builder kept = MapNode.builder(sent.size());
    sent.forEach(
        (key, value) -> {
          Node left = key.startsWith("x-") ? value : field.of(key, value);
          if (left != null) {
            kept.put(key, left);
          }
        });
    return kept.build();
  }

  /** An object of objects. */
  private static MapNode each(MapNode sent, UnaryOperator<MapNode> entry) {
    MapNode.Builder kept = MapNode.builder(sent.size());
    sent.forEach(
        (key, value) -> {
          if (value instanceof MapNode object) {
            kept.put(key, entry.apply(object));
          }
        });
    return kept.build();
  }

  private static @Nullable Node pathItemField(String key, Node value) {
    if (METHODS.contains(key)) {
      return value instanceof MapNode operation
          ? object(operation, Gnostic2Filter::operationField)
          : null;
    }
    return key.equals("parameters") ? parameterItems(value) : null;
  }

  private static @Nullable Node operationField(String key, Node value) {
    return switch (key) {
      case "tags", "produces", "consumes", "schemes" -> texts(value);
      case "description", "operationId" -> text(value);
      case "deprecated" -> flag(value);
      case "parameters" -> parameterItems(value);
      case "responses" ->
          value instanceof MapNode responses
              ? each(responses, response -> object(response, Gnostic2Filter::responseField))
              : null;
      default -> null;
    };
  }

  private static @Nullable Node responseField(String key, Node value) {
    return switch (key) {
      case "description" -> text(value);
      case "schema" -> schemaOf(value);
      default -> null;
    };
  }

  private static @Nullable Node parameterItems(Node value) {
    if (!(value instanceof Items items)) {
      return null;
    }
    List<Node> kept = new ArrayList<>();
    for (Node item : items.values()) {
      if (item instanceof MapNode sent) {
        MapNode parameter =
            sent.get("$ref") instanceof Text reference
                ? MapNode.of("$ref", reference)
                : parameter(sent);
        if (!parameter.isEmpty()) {
          kept.add(parameter);
        }
      }
    }
    return new Items(kept);
  }

  /** Headers and forms have no place in the writer; empty for those. */
  private static MapNode parameter(MapNode sent) {
    return switch (sent.text("in")) {
      case "body" -> object(sent, Gnostic2Filter::bodyField);
      case "query", "path" -> object(sent, Gnostic2Filter::simpleField);
      default -> MapNode.EMPTY;
    };
  }

  private static @Nullable Node bodyField(String key, Node value) {
    return switch (key) {
      case "description", "name", "in" -> text(value);
      case "required" -> flag(value);
      case "schema" -> schemaOf(value);
      default -> null;
    };
  }

  private static @Nullable Node simpleField(String key, Node value) {
    return switch (key) {
      case "description", "name", "in", "type" -> text(value);
      case "required", "uniqueItems" -> flag(value);
      default -> null;
    };
  }

  private static MapNode schema(MapNode schema) {
    return object(schema, Gnostic2Filter::schemaField);
  }

  private static @Nullable Node schemaOf(Node value) {
    return value instanceof MapNode object ? schema(object) : null;
  }

  private static @Nullable Node schemaField(String key, Node value) {
    return switch (key) {
      case "$ref", "format", "title", "description", "pattern", "type" -> text(value);
      case "exclusiveMaximum", "exclusiveMinimum", "uniqueItems" -> flag(value);
      case "multipleOf",
          "maximum",
          "minimum",
          "maxLength",
          "minLength",
          "maxItems",
          "minItems",
          "maxProperties",
          "minProperties" ->
          value;
      case "required" -> texts(value);
      case "enum" -> value instanceof Items ? value : null;
      case "additionalProperties" -> value instanceof Bool ? value : schemaOf(value);
      case "items" -> schemaOf(value);
      case "properties" ->
          value instanceof MapNode properties ? each(properties, Gnostic2Filter::schema) : null;
      case "externalDocs" -> value instanceof MapNode ? value : null;
      default -> null;
    };
  }

  private static @Nullable Node text(Node value) {
    return value instanceof Text ? value : null;
  }

  private static @Nullable Node flag(Node value) {
    return value instanceof Bool ? value : null;
  }

  private static @Nullable Node texts(Node value) {
    return value instanceof Items items
        ? new Items(items.values().stream().filter(Text.class::isInstance).toList())
        : null;
  }
}
