package dev.keelson.schema.openapi;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.gnostic.Gnostic;
import java.util.List;

/**
 * Builds documents from paths: a tree first, and from it the bytes of one format.
 *
 * @param descriptions what is said of types and fields
 * @param version of the server, for example {@code v1.2.0}
 */
record DocumentFactory(Descriptions descriptions, JsonText json, String version) {

  /** A document of Swagger 2.0. */
  byte[] v2(List<PathItem> items, Kinds kinds, Format format) {
    SchemaTrees schemas = new SchemaTrees(Dialect.V2, descriptions, json, kinds);
    MapNode tree = new SwaggerTrees(schemas).document(items, version);
    return switch (format) {
      case JSON -> json.write(tree);
      case PROTOBUF -> new Gnostic(json.writer()).v2(tree);
    };
  }

  /** A document of OpenAPI 3.0. */
  byte[] v3(List<PathItem> items, Kinds kinds, Format format) {
    SchemaTrees schemas = new SchemaTrees(Dialect.V3, descriptions, json, kinds);
    MapNode tree = new OpenApi3Trees(schemas).document(items, version);
    return switch (format) {
      case JSON -> json.write(tree);
      case PROTOBUF -> new Gnostic(json.writer()).v3(tree);
    };
  }
}
