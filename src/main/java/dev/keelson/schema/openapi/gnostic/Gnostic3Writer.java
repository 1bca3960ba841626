package dev.keelson.schema.openapi.gnostic;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.function.Function;

/**
 * Writes an OpenAPI 3.0 tree as the message {@code openapi.v3.Document} of gnostic's
 * OpenAPIv3.proto. Field numbers are of that file; a key that the trees of this package do not have
 * is an error. Its DefaultType holds scalars only, so other defaults are left out, as gnostic
 * itself does.
 */
final class Gnostic3Writer extends GnosticWriter {

  Gnostic3Writer(Function<Node, byte[]> json) {
    super(json);
  }

  @Override
  void document(MapNode document) {
    document.forEach(
        (key, value) -> {
          switch (key) {
            case "openapi" -> text(1, value);
            case "info" -> message(2, value, this::info);
            case "paths" -> out.message(4, () -> paths((MapNode) value));
            case "components" -> message(5, value, this::components);
            default -> extension(9, "Document", key, value);
          }
        });
  }

  /** The bytes of the fields of {@code components}. Called once. */
  byte[] writeComponents(MapNode components) {
    components(components);
    return out.toBytes();
  }

  @Override
  void paths(MapNode paths) {
    entries(1, paths, this::pathItem);
  }

  @Override
  void schemas(MapNode schemas) {
    entries(1, schemas, this::schemaOrReference);
  }

  private void info(MapNode info) {
    text(1, Node.text(info.text("title")));
    text(6, Node.text(info.text("version")));
  }

  private void components(MapNode components) {
    components.forEach(
        (key, value) -> {
          switch (key) {
            case "schemas" -> out.message(1, () -> schemas((MapNode) value));
            case "securitySchemes" ->
                namedMessages(7, value, scheme -> message(1, scheme, this::securityScheme));
            default -> extension(10, "Components", key, value);
          }
        });
  }

  private void securityScheme(MapNode scheme) {
    text(1, Node.text(scheme.text("type")));
    text(2, Node.text(scheme.text("description")));
    text(3, Node.text(scheme.text("name")));
    text(4, Node.text(scheme.text("in")));
  }

  private void pathItem(MapNode item) {
    item.forEach(
        (key, value) -> {
          switch (key) {
            case "get" -> message(4, value, this::operation);
            case "put" -> message(5, value, this::operation);
            case "post" -> message(6, value, this::operation);
            case "delete" -> message(7, value, this::operation);
            case "options" -> message(8, value, this::operation);
            case "head" -> message(9, value, this::operation);
            case "patch" -> message(10, value, this::operation);
            case "parameters" -> each(13, value, this::parameterOrReference);
            default -> extension(14, "PathItem", key, value);
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
            case "parameters" -> each(6, value, this::parameterOrReference);
            case "requestBody" -> out.message(7, () -> message(1, value, this::requestBody));
            case "responses" -> message(8, value, this::responses);
            case "deprecated" -> flag(10, value);
            default -> extension(13, "Operation", key, value);
          }
        });
  }

  private void parameterOrReference(MapNode item) {
    message(1, item, this::parameter);
  }

  private void parameter(MapNode parameter) {
    parameter.forEach(
        (key, value) -> {
          switch (key) {
            case "name" -> text(1, value);
            case "in" -> text(2, value);
            case "description" -> text(3, value);
            case "required" -> flag(4, value);
            case "schema" -> message(10, value, this::schemaOrReference);
            default -> extension(14, "Parameter", key, value);
          }
        });
  }

  private void requestBody(MapNode body) {
    body.forEach(
        (key, value) -> {
          switch (key) {
            case "description" -> text(1, value);
            case "content" -> namedMessages(2, value, this::mediaType);
            case "required" -> flag(3, value);
            default -> extension(4, "RequestBody", key, value);
          }
        });
  }

  private void responses(MapNode responses) {
    entries(2, responses, item -> message(1, item, this::response));
  }

  private void response(MapNode response) {
    response.forEach(
        (key, value) -> {
          switch (key) {
            case "description" -> text(1, value);
            case "content" -> namedMessages(3, value, this::mediaType);
            default -> extension(5, "Response", key, value);
          }
        });
  }

  private void mediaType(MapNode mediaType) {
    mediaType.forEach(
        (key, value) -> {
          if (key.equals("schema")) {
            message(1, value, this::schemaOrReference);
          } else {
            extension(5, "MediaType", key, value);
          }
        });
  }

  private void schemaOrReference(MapNode schema) {
    Node reference = schema.get("$ref");
    if (reference != null) {
      out.message(2, () -> text(1, reference));
    } else {
      message(1, schema, this::schema);
    }
  }

  private void schema(MapNode schema) {
    schema.forEach(
        (key, value) -> {
          switch (key) {
            case "nullable" -> flag(1, value);
            case "externalDocs" -> message(6, value, this::externalDocs);
            case "title" -> text(9, value);
            case "multipleOf" -> number(10, value);
            case "maximum" -> number(11, value);
            case "exclusiveMaximum" -> flag(12, value);
            case "minimum" -> number(13, value);
            case "exclusiveMinimum" -> flag(14, value);
            case "maxLength" -> count(15, value);
            case "minLength" -> count(16, value);
            case "pattern" -> text(17, value);
            case "maxItems" -> count(18, value);
            case "minItems" -> count(19, value);
            case "uniqueItems" -> flag(20, value);
            case "maxProperties" -> count(21, value);
            case "minProperties" -> count(22, value);
            case "required" -> texts(23, value);
            case "enum" -> anys(24, value);
            case "type" -> text(25, value);
            case "allOf" -> each(26, value, this::schemaOrReference);
            case "oneOf" -> each(27, value, this::schemaOrReference);
            case "anyOf" -> each(28, value, this::schemaOrReference);
            case "not" -> message(29, value, this::schema);
            case "items" -> out.message(30, () -> message(1, value, this::schemaOrReference));
            case "properties" -> namedMessages(31, value, this::schemaOrReference);
            case "additionalProperties" -> out.message(32, () -> additional(value));
            case "default" -> defaultValue(value);
            case "description" -> text(34, value);
            case "format" -> text(35, value);
            default -> extension(36, "Schema", key, value);
          }
        });
  }

  private void additional(Node value) {
    if (value instanceof Node.Bool allowed) {
      out.presentBool(2, allowed.value());
    } else {
      message(1, value, this::schemaOrReference);
    }
  }

  private void externalDocs(MapNode docs) {
    text(1, Node.text(docs.text("description")));
    text(2, Node.text(docs.text("url")));
  }

  private void defaultValue(Node value) {
    switch (value) {
      case Node.Text text -> out.message(33, () -> out.presentString(3, text.value()));
      case Node.Bool bool -> out.message(33, () -> out.presentBool(2, bool.value()));
      case Node.Int number -> out.message(33, () -> out.presentDouble(1, (double) number.value()));
      case Node.Decimal number ->
          out.message(33, () -> out.presentDouble(1, Double.parseDouble(number.literal())));
      case MapNode map -> {
        // No field for it.
      }
      case Node.Items items -> {
        // No field for it.
      }
      case Node.Null none -> {
        // No field for it.
      }
    }
  }
}
