package dev.keelson.registry;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.CustomResourceVersion;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.stored.StoredScan;
import dev.keelson.schema.codec.tree.Canonical;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.conversion.FormerVersions;
import dev.keelson.schema.conversion.FormerVersions.FormerVersion;
import dev.keelson.schema.conversion.VersionConverter;
import dev.keelson.schema.defaulting.SchemaDefaults;
import dev.keelson.storage.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes objects by their schema: canonical JSON or protobuf at rest, conversion by
 * the built-in rules.
 */
public final class SchemaCodec implements ObjectCodec {

  private final ResourceCatalog catalog;
  private final VersionConverter converter;
  private final FormerVersions former;
  private final StoredForm.Medium medium;
  private final CustomConversion custom;
  private final SchemaDefaults defaults = Defaulting.schemaDefaults();

  /** A codec that writes JSON. */
  public SchemaCodec(ResourceCatalog catalog, VersionConverter converter, FormerVersions former) {
    this(catalog, converter, former, StoredForm.Medium.JSON, CustomConverter.NONE);
  }

  /**
   * A codec.
   *
   * @param former versions that are not served, and that stored objects may be in
   * @param medium what objects are written in; either can be read
   * @param webhooks converts objects of custom resources that name a webhook
   */
  public SchemaCodec(
      ResourceCatalog catalog,
      VersionConverter converter,
      FormerVersions former,
      StoredForm.Medium medium,
      CustomConverter webhooks) {
    this.catalog = catalog;
    this.converter = converter;
    this.former = former;
    this.medium = medium;
    this.custom = new CustomConversion(webhooks);
  }

  @Override
  public ApiObject decode(StoredType type, Bytes value) {
    Stored stored = read(type, value);
    return stored.kind.equals(type.kind())
        ? stored.object
        : converted(List.of(stored.object), stored.kind, type.kind(), type.schema()).getFirst();
  }

  @Override
  public List<ApiObject> decode(StoredType type, List<Bytes> values) {
    if (type.schema().declaration() == null) {
      return ObjectCodec.super.decode(type, values);
    }
    List<ApiObject> objects = new ArrayList<>(values.size());
    GroupVersionKind other = null;
    for (Bytes value : values) {
      Stored stored = read(type, value);
      other = stored.kind.equals(type.kind()) ? other : stored.kind;
      objects.add(stored.object);
    }
    return other == null ? objects : converted(objects, other, type.kind(), type.schema());
  }

  @Override
  public boolean needsWebhook(StoredType type, Bytes value) {
    CustomResourceVersion version = CustomResourceVersion.of(type.schema());
    return version != null
        && version.resource().isConvertedByWebhook()
        && !StoredScan.isOf(value.backing(), value.offset(), value.end(), type.kind());
  }

  @Override
  public ObjectMeta metadata(StoredType type, Bytes value) {
    return type.schema().declaration() == null
        ? decode(type, value).meta()
        : read(type, value).object.meta();
  }

  /** An object in the version in which it is stored, which may be older than today's. */
  private record Stored(GroupVersionKind kind, ApiObject object) {}

  private Stored read(StoredType type, Bytes value) {
    try {
      GroupVersionKind stored = StoredForm.kindOf(value.array());
      FormerVersion older = type.schema().declaration() == null ? former.find(stored) : null;
      GroupVersionKind kind = older == null ? stored : older.current();
      StructSchema schema = schema(type, kind);
      MapNode root =
          older == null
              ? complete(StoredForm.decode(value.array(), schema), schema)
              : Canonical.form(
                  older.converted(StoredForm.decode(value.array(), older.schema())), schema);
      return new Stored(
          kind,
          new ApiObject(root.with("metadata", root.map("metadata").without("resourceVersion"))));
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

  /** The schema of the version that a value was stored in. */
  private StructSchema schema(StoredType type, GroupVersionKind kind) {
    if (kind.equals(type.kind())) {
      return type.schema();
    }
    if (kind.equals(type.written().kind())) {
      return type.written().schema();
    }
    CustomResourceVersion version = CustomResourceVersion.of(type.schema());
    StructSchema older =
        version == null
            ? catalog.snapshot().find(kind).map(ResourceDefinition::schema).orElse(null)
            : version.sibling(kind.version());
    return older == null ? type.schema() : older;
  }

  @Override
  public Bytes encode(StoredType type, ApiObject object) {
    StoredType written = type.written();
    ApiObject typed = object.withType(type.kind().apiVersion(), type.kind().kind());
    StructSchema schema = written.schema();
    if (written != type) {
      typed = converted(List.of(typed), type.kind(), written.kind(), schema).getFirst();
    }
    MapNode root = complete(typed.root(), schema);
    if (written != type && root != typed.root()) {
      // only the defaults of the request's version are kept; those of this one may change
      return Bytes.wrap(StoredForm.encodeIncomplete(typed.root(), schema));
    }
    return Bytes.wrap(StoredForm.encode(root, schema, medium));
  }

  /** Converts objects to the version of a schema. */
  private List<ApiObject> converted(
      List<ApiObject> objects, GroupVersionKind from, GroupVersionKind to, StructSchema schema) {
    CustomResourceVersion target = CustomResourceVersion.of(schema);
    return target == null
        ? objects.stream().map(object -> convert(object, from, to)).toList()
        : custom.convert(objects, target, schema, to);
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
    @Nullable ResourceDefinition target = catalog.snapshot().find(to).orElse(null);
    CustomResourceVersion version = target == null ? null : target.custom();
    if (target != null && version != null) {
      ApiObject typed = object.withType(from.apiVersion(), from.kind());
      return custom.convert(List.of(typed), version, target.schema(), to).getFirst();
    }
    ApiObject converted = converter.convert(object, from, to);
    return target == null
        ? converted
        : new ApiObject(Canonical.form(converted.root(), target.schema()));
  }

  @Override
  public boolean servesStoredShape(ResourceDefinition definition) {
    StoredType type = definition.storage();
    if (type == null) {
      return false;
    }
    StoredType written = type.written();
    if (written.kind().equals(definition.gvk())) {
      return true;
    }
    CustomResourceVersion version = definition.custom();
    return version == null
        ? converter.sameShape(written.kind(), definition.gvk())
        : version.servesShapeOf(written.schema());
  }
}
