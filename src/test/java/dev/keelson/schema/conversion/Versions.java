package dev.keelson.schema.conversion;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.CatalogJson;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.ObjectWriter;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.codec.tree.Decoded;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.proto.ProtoSchemas;
import java.nio.charset.StandardCharsets;

/** Conversions between served versions, in canonical form. */
final class Versions {

  static final ResourceCatalog CATALOG =
      new ResourceCatalog(BuiltInResources.all(ProtoSchemas.fromClassPath()::struct));
  static final VersionConverter CONVERTER = new VersionConverter(new CatalogJson(CATALOG));

  private Versions() {}

  static GroupVersionKind kind(String apiVersion, String kind) {
    return GroupVersion.parse(apiVersion).kind(kind);
  }

  static StructSchema schema(GroupVersionKind kind) {
    return CATALOG.snapshot().find(kind).orElseThrow().schema();
  }

  static MapNode convert(MapNode object, GroupVersionKind from, GroupVersionKind to) {
    return Canonical.form(CONVERTER.convert(new ApiObject(object), from, to).root(), schema(to));
  }

  /** The canonical form of an object that is written without apiVersion and kind. */
  static MapNode read(String yaml, GroupVersionKind kind) {
    String whole = "apiVersion: " + kind.apiVersion() + "\nkind: " + kind.kind() + "\n" + yaml;
    Decoded decoded =
        ObjectReader.yaml(
            whole.getBytes(StandardCharsets.UTF_8), schema(kind), FieldValidation.STRICT);
    if (!decoded.problems().isEmpty()) {
      throw new IllegalArgumentException(decoded.strictMessage());
    }
    return decoded.root();
  }

  static String yaml(MapNode object) {
    return new String(ObjectWriter.yaml(object), StandardCharsets.UTF_8);
  }
}
