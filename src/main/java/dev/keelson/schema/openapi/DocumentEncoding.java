package dev.keelson.schema.openapi;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.gnostic.Gnostic;
import java.util.List;
import java.util.Map;

/**
 * Writes documents of one version of OpenAPI in one format. The entries of paths and schemas are
 * written apart, so that a document can be put together again when one of its resources changes.
 *
 * @param dialect the version
 */
record DocumentEncoding(Dialect dialect, Format format, JsonText json) {

  /** Entries of the paths. */
  byte[] paths(MapNode paths) {
    return switch (format) {
      case JSON -> JsonParts.entries(json, paths);
      case PROTOBUF ->
          switch (dialect) {
            case V2 -> gnostic().v2Paths(paths);
            case V3 -> gnostic().v3Paths(paths);
          };
    };
  }

  /** Entries of the schemas. */
  byte[] schemas(MapNode schemas) {
    return switch (format) {
      case JSON -> JsonParts.entries(json, schemas);
      case PROTOBUF ->
          switch (dialect) {
            case V2 -> gnostic().v2Definitions(schemas);
            case V3 -> gnostic().v3Schemas(schemas);
          };
    };
  }

  /**
   * A document.
   *
   * @param frame the document without paths and schemas
   * @param paths what {@link #paths(MapNode)} wrote
   * @param schemas what {@link #schemas(MapNode)} wrote
   */
  List<byte[]> document(MapNode frame, List<byte[]> paths, List<byte[]> schemas) {
    return switch (format) {
      case JSON ->
          JsonParts.document(json, frame, Map.of("paths", paths, dialect.schemas(), schemas));
      case PROTOBUF ->
          switch (dialect) {
            case V2 -> gnostic().v2(frame, paths, schemas);
            case V3 -> gnostic().v3(frame, paths, schemas);
          };
    };
  }

  private Gnostic gnostic() {
    return new Gnostic(json.writer());
  }
}
