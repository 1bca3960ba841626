package dev.keelson.schema.openapi;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.openapi.OpenApiDocument.Format;
import dev.keelson.schema.openapi.operation.Descriptions;
import dev.keelson.schema.openapi.operation.MetaTypes;
import dev.keelson.schema.openapi.operation.ResourcePaths;
import java.lang.ref.SoftReference;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What documents say of each custom resource: written once, shared by all documents as long as the
 * resource is served and there is memory to spare. The instance's lock guards the cache, and one
 * part is made at a time, so that the trees of two never stand in memory together.
 */
final class CustomParts {

  private final MetaTypes types;
  private final Descriptions descriptions;
  private final JsonText json;
  private final Map<StructSchema, Known> known = new WeakHashMap<>();

  /**
   * The entries of a resource in a document.
   *
   * @param paths of its paths
   * @param schemas of its types
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Part(byte[] paths, byte[] schemas) {}

  /** The parts of one resource. */
  private record Known(Map<Format, SoftReference<Part>> v2, Map<Format, SoftReference<Part>> v3) {
    Known() {
      this(new EnumMap<>(Format.class), new EnumMap<>(Format.class));
    }
  }

  CustomParts(MetaTypes types, Descriptions descriptions, JsonText json) {
    this.types = types;
    this.descriptions = descriptions;
    this.json = json;
  }

  /** Forgets all parts. */
  synchronized void clear() {
    known.clear();
  }

  /**
   * The part of a resource in Swagger 2.0.
   *
   * @param parameters those of the document; always the same until {@link #clear}
   */
  synchronized Part v2(ResourceDefinition definition, Format format, SharedParameters parameters) {
    Map<Format, SoftReference<Part>> parts = known(definition).v2;
    Part part = get(parts, format);
    if (part == null) {
      SwaggerTrees trees = new SwaggerTrees(schemas(definition, Dialect.V2), parameters);
      part =
          part(
              definition,
              new DocumentEncoding(Dialect.V2, format, json),
              trees.paths(ResourcePaths.of(types, descriptions, definition)));
      parts.put(format, new SoftReference<>(part));
    }
    return part;
  }

  /** The part of a resource in OpenAPI 3.0. */
  synchronized Part v3(ResourceDefinition definition, Format format) {
    Map<Format, SoftReference<Part>> parts = known(definition).v3;
    Part part = get(parts, format);
    if (part == null) {
      OpenApi3Trees trees = new OpenApi3Trees(schemas(definition, Dialect.V3));
      part =
          part(
              definition,
              new DocumentEncoding(Dialect.V3, format, json),
              trees.paths(ResourcePaths.of(types, descriptions, definition)));
      parts.put(format, new SoftReference<>(part));
    }
    return part;
  }

  private Known known(ResourceDefinition definition) {
    return known.computeIfAbsent(definition.schema(), _ -> new Known());
  }

  private static @Nullable Part get(Map<Format, SoftReference<Part>> parts, Format format) {
    SoftReference<Part> part = parts.get(format);
    return part == null ? null : part.get();
  }

  /** Schemas that refer to the definitions of the resource and do not write them. */
  private SchemaTrees schemas(ResourceDefinition definition, Dialect dialect) {
    return new SchemaTrees(
        dialect, descriptions, json, Kinds.NONE, CustomSchemas.names(definition)::contains);
  }

  private static Part part(
      ResourceDefinition definition, DocumentEncoding encoding, MapNode paths) {
    CustomResourceVersion version =
        Objects.requireNonNull(definition.custom(), "a custom resource");
    MapNode schemas = new CustomSchemas(encoding.dialect()).of(definition, version);
    return new Part(encoding.paths(paths), encoding.schemas(schemas));
  }
}
