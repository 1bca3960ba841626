package dev.keelson.admission.webhook;

import dev.keelson.admission.AdmissionAttributes;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.Subresource;
import dev.keelson.schema.codec.tree.Canonical;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one write in the versions that webhooks ask for, each converted once. Used by one
 * thread.
 */
final class AdmittedObjects {

  /** The two objects of a write in one version. */
  record Pair(@Nullable ApiObject object, @Nullable ApiObject current) {}

  private final AdmissionAttributes call;
  private final ResourceCatalog catalog;
  private final Map<GroupVersionKind, Pair> known = new HashMap<>(2);

  AdmittedObjects(AdmissionAttributes call, ResourceCatalog catalog) {
    this.call = call;
    this.catalog = catalog;
  }

  /** The objects as {@code kind}, in the form that clients see. */
  Pair in(GroupVersionKind kind) {
    Pair pair = known.get(kind);
    if (pair == null) {
      pair = new Pair(shown(call.objectIn(kind), kind), shown(call.currentIn(kind), kind));
      known.put(kind, pair);
    }
    return pair;
  }

  private @Nullable ApiObject shown(@Nullable ApiObject object, GroupVersionKind kind) {
    if (object == null) {
      return null;
    }
    StructSchema schema = schema(call, catalog, kind);
    ApiObject typed = object.withType(kind.apiVersion(), kind.kind());
    return schema == null ? typed : new ApiObject(Canonical.form(typed.root(), schema));
  }

  /** The shape of a kind that a write admits; null if it is not known. */
  static @Nullable StructSchema schema(
      AdmissionAttributes call, ResourceCatalog catalog, GroupVersionKind kind) {
    ResourceDefinition definition = call.definition();
    if (kind.equals(definition.gvk())) {
      return definition.schema();
    }
    Subresource part = definition.subresources().get(call.subresource());
    if (part != null && part.kind().equals(kind)) {
      return part.schema();
    }
    return catalog
        .snapshot()
        .find(kind)
        .map(ResourceDefinition::schema)
        .or(() -> ofSubresource(call.subresource(), catalog.snapshot(), kind))
        .orElse(null);
  }

  /** The shape of a kind that only a subresource has, such as the Scale of an old group. */
  private static Optional<StructSchema> ofSubresource(
      String subresource, ResourceCatalog.Snapshot resources, GroupVersionKind kind) {
    for (ResourceDefinition each : resources.all()) {
      Subresource part = each.subresources().get(subresource);
      if (part != null && part.kind().equals(kind)) {
        return Optional.of(part.schema());
      }
    }
    return Optional.empty();
  }
}
