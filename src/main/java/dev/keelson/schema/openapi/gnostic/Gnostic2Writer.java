package dev.keelson.schema.openapi.gnostic;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.function.Function;

/**
 * Writes a Swagger 2.0 tree as the message {@code openapi.v2.Document} of gnostic's
 * OpenAPIv2.proto, which client-go asks for and nothing else. Field numbers are of that file; a key
 * that the trees of this package do not have is an error.
 */
final class Gnostic2Writer extends GnosticWriter {

  Gnostic2Writer(Function<Node, byte[]> json) {
    super(json);
  }

  @Override
  void document(MapNode document) {
    document.forEach(
        (key, value) -> {
          switch (key) {
            case "swagger" -> text(1, value);
            case "info" -> message(2, value, this::info);
            case "paths" -> out.message(8, () -> paths((MapNode) value));
            case "definitions" -> out.message(9, () -> schemas((MapNode) value));
            case "parameters" -> namedMessages(10, value, this::parameter);
            case "security" -> each(12, value, this::securityRequirement);
            case "securityDefinitions" ->
                namedMessages(13, value, item -> message(2, item, this::apiKey));
            default -> extension(16, "Document", key, value);
          }
        });
  }

  @Override
  void paths(MapNode paths) {
    entries(2, paths, this::pathItem);
  }

  @Override
  void schemas(MapNode schemas) {
    entries(1, schemas, this::schema);
  }

  private void info(MapNode info) {
    text(1, Node.text(info.text("title")));
    text(2, Node.text(info.text("version")));
  }

  private void securityRequirement(MapNode requirement) {
    entries(1, wrapped(requirement), scopes -> texts(1, scopes.valueAt(0)));
  }

  /** The lists in {@code lists} as objects, since only those are entries. */
  private static MapNode wrapped(MapNode lists) {
    MapNode.Builder entries = MapNode.builder(lists.size());
    lists.forEach((name, list) -> entries.put(name, MapNode.of("value", list)));
    return entries.build();
  }

  private void apiKey(MapNode key) {
    text(1, Node.text(key.text("type")));
    text(2, Node.text(key.text("name")));
    text(3, Node.text(key.text("in")));
    text(4, Node.text(key.text("description")));
  }

  private void pathItem(MapNode item) {
    item.forEach(
        (key, value) -> {
          switch (key) {
            case "get" -> message(2, value, this::operation);
            case "put" -> message(3, value, this::operation);
            case "post" -> message(4, value, this::operation);
            case "delete" -> message(5, value, this::operation);
            case "options" -> message(6, value, this::operation);
            case "head" -> message(7, value, this::operation);
            case "patch" -> message(8, value, this::operation);
            case "parameters" -> each(9, value, this::parametersItem);
            default -> extension(10, "PathItem", key, value);
          }
        });
  }

  private void operation(MapNode operation) {
    operation.forEach(
        (key, value) -> {
          switch (key) {
            case "tags" -> texts(1, value);
            case "description" -> text(3, value);
            case "operationId" -> text(5, value);
            case "produces" -> texts(6, value);
            case "consumes" -> texts(7, value);
            case "parameters" -> each(8, value, this::parametersItem);
            case "responses" -> namedMessages(9, value, this::responseValue);
            case "schemes" -> texts(10, value);
            case "deprecated" -> flag(11, value);
            default -> extension(13, "Operation", key, value);
          }
        });
  }

  private void parametersItem(MapNode item) {
    Node reference = item.get("$ref");
    if (reference != null) {
      out.message(2, () -> text(1, reference));
    } else {
      message(1, item, this::parameter);
    }
  }

  private void parameter(MapNode parameter) {
    switch (parameter.text("in")) {
      case "body" -> message(1, parameter, this::bodyParameter);
      case "query" ->
          out.message(2, () -> message(3, parameter, query -> simpleParameter(query, 1)));
      case "path" -> out.message(2, () -> message(4, parameter, path -> simpleParameter(path, 0)));
      default -> throw unknown("Parameter", parameter.text("in"));
    }
  }

  private void bodyParameter(MapNode parameter) {
    parameter.forEach(
        (key, value) -> {
          switch (key) {
            case "description" -> text(1, value);
            case "name" -> text(2, value);
            case "in" -> text(3, value);
            case "required" -> flag(4, value);
            case "schema" -> message(5, value, this::schema);
            default -> extension(6, "BodyParameter", key, value);
          }
        });
  }

  /**
   * @param shift how far the fields from type on are moved: a query parameter has one more
   */
  private void simpleParameter(MapNode parameter, int shift) {
    parameter.forEach(
        (key, value) -> {
          switch (key) {
            case "required" -> flag(1, value);
            case "in" -> text(2, value);
            case "description" -> text(3, value);
            case "name" -> text(4, value);
            case "type" -> text(5 + shift, value);
            case "uniqueItems" -> flag(19 + shift, value);
            default -> extension(22 + shift, "NonBodyParameter", key, value);
          }
        });
  }

  private void responseValue(MapNode response) {
    message(1, response, this::response);
  }

  private void response(MapNode response) {
    response.forEach(
        (key, value) -> {
          switch (key) {
            case "description" -> text(1, value);
            case "schema" -> out.message(2, () -> message(1, value, this::schema));
            default -> extension(5, "Response", key, value);
          }
        });
  }

  private void schema(MapNode schema) {
    schema.forEach(
        (key, value) -> {
          switch (key) {
            case "$ref" -> text(1, value);
            case "format" -> text(2, value);
            case "title" -> text(3, value);
            case "description" -> text(4, value);
            case "multipleOf" -> number(6, value);
            case "maximum" -> number(7, value);
            case "exclusiveMaximum" -> flag(8, value);
            case "minimum" -> number(9, value);
            case "exclusiveMinimum" -> flag(10, value);
            case "maxLength" -> count(11, value);
            case "minLength" -> count(12, value);
            case "pattern" -> text(13, value);
            case "maxItems" -> count(14, value);
            case "minItems" -> count(15, value);
            case "uniqueItems" -> flag(16, value);
            case "maxProperties" -> count(17, value);
            case "minProperties" -> count(18, value);
            case "required" -> texts(19, value);
            case "enum" -> anys(20, value);
            case "additionalProperties" -> out.message(21, () -> additional(value));
            case "type" -> out.message(22, () -> text(1, value));
            case "items" -> out.message(23, () -> message(1, value, this::schema));
            case "properties" -> namedMessages(25, value, this::schema);
            case "externalDocs" -> message(29, value, this::externalDocs);
            default -> extension(31, "Schema", key, value);
          }
        });
  }

  private void additional(Node value) {
    if (value instanceof Node.Bool allowed) {
      out.presentBool(2, allowed.value());
    } else {
      message(1, value, this::schema);
    }
  }

  private void externalDocs(MapNode docs) {
    text(1, Node.text(docs.text("description")));
    text(2, Node.text(docs.text("url")));
  }
}
