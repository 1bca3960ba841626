package dev.keelson.registry;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.conversion.VersionConverter;
import dev.keelson.schema.defaulting.SchemaDefaults;
import dev.keelson.storage.Bytes;

/**
 * Encodes and decodes objects by their schema: canonical JSON or protobuf at rest, conversion by
 * the built-in rules.
 */
public final class SchemaCodec implements ObjectCodec {

  private final ResourceCatalog catalog;
  private final VersionConverter converter;
  private final StoredForm.Medium medium;
  private final SchemaDefaults defaults = Defaulting.schemaDefaults();

  /** A codec that writes JSON. */
  public SchemaCodec(ResourceCatalog catalog, VersionConverter converter) {
    this(catalog, converter, StoredForm.Medium.JSON);
  }

  /**
   * A codec.
   *
   * @param medium what objects are written in; either can be read
   */
  public SchemaCodec(
      ResourceCatalog catalog, VersionConverter converter, StoredForm.Medium medium) {
    this.catalog = catalog;
    this.converter = converter;
    this.medium = medium;
  }

  @Override
  public ApiObject decode(StoredType type, Bytes value) {
    try {
      GroupVersionKind kind = StoredForm.kindOf(value.array());
      StructSchema schema = schema(type, kind);
      MapNode root = complete(StoredForm.decode(value.array(), schema), schema);
      ApiObject object =
          new ApiObject(root.with("metadata", root.map("metadata").without("resourceVersion")));
      return convert(object, kind, type.kind());
    } catch (DecodeException e) {
      throw new ApiException(
          Reason.INTERNAL_ERROR,
          "Internal error occurred: a stored object of "
              + type.kind()
              + " cannot be read: "
              + e.text(),
          ErrorDetails.NONE,
          e);
    }
  }

  /** Sets the defaults of a custom resource, which may be younger than a stored value. */
  private MapNode complete(MapNode root, StructSchema schema) {
    return schema.declaration() == null ? root : defaults.complete(root, schema);
  }

  /** The schema of the version that a value was stored in, which may be older than today's. */
  private StructSchema schema(StoredType type, GroupVersionKind kind) {
    return kind.equals(type.kind())
        ? type.schema()
        : catalog.snapshot().find(kind).map(ResourceDefinition::schema).orElse(type.schema());
  }

  @Override
  public Bytes encode(StoredType type, ApiObject object) {
    ApiObject typed = object.withType(type.kind().apiVersion(), type.kind().kind());
    MapNode root = complete(typed.root(), type.schema());
    return Bytes.wrap(StoredForm.encode(root, type.schema(), medium));
  }

  @Override
  public ApiObject canonical(ApiObject object, ResourceDefinition definition) {
    return new ApiObject(Canonical.form(object.root(), definition.schema()));
  }

  @Override
  public ApiObject convert(ApiObject object, GroupVersionKind from, GroupVersionKind to) {
    if (from.equals(to)) {
      return object;
    }
    ApiObject converted = converter.convert(object, from, to);
    return catalog
        .snapshot()
        .find(to)
        .map(definition -> new ApiObject(Canonical.form(converted.root(), definition.schema())))
        .orElse(converted);
  }

  @Override
  public boolean servesStoredShape(ResourceDefinition definition) {
    StoredType type = definition.storage();
    if (type == null) {
      return false;
    }
    if (type.kind().equals(definition.gvk())) {
      return true;
    }
    CustomResourceVersion custom = definition.custom();
    return custom == null
        ? converter.sameShape(type.kind(), definition.gvk())
        : custom.servesShapeOf(type.schema());
  }
}
