package dev.keelson.controller.garbage;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.ObjectAddress;
import dev.keelson.object.OwnerReference;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Maps owner references to addresses. Of several resources with the same objects, the first of the
 * catalog is used. Safe for use by several threads.
 */
final class OwnerAddresses {

  /** The resources at one generation of the catalog. */
  private record Known(long generation, Map<StoredType, GroupVersionResource> first) {}

  private final ResourceCatalog catalog;
  private volatile Known known = new Known(0, Map.of());

  OwnerAddresses(ResourceCatalog catalog) {
    this.catalog = catalog;
  }

  /**
   * Returns the address of an owner; a namespaced owner is in the namespace of its dependent.
   *
   * @return empty if the kind is not served
   */
  Optional<ObjectAddress> of(OwnerReference owner, String namespace) {
    return definition(owner)
        .flatMap(
            definition ->
                resource(definition)
                    .map(
                        resource ->
                            new ObjectAddress(
                                resource, definition.namespaced() ? namespace : "", owner.name())));
  }

  /** Whether the owner's kind is namespaced; false if it is not served. */
  boolean namespaced(OwnerReference owner) {
    return definition(owner).filter(ResourceDefinition::namespaced).isPresent();
  }

  private Optional<ResourceDefinition> definition(OwnerReference owner) {
    GroupVersion version;
    try {
      version = GroupVersion.parse(owner.apiVersion());
    } catch (IllegalArgumentException e) {
      // an invalid apiVersion is never served
      return Optional.empty();
    }
    GroupVersionKind kind = version.kind(owner.kind());
    return catalog.snapshot().find(kind);
  }

  private Optional<GroupVersionResource> resource(ResourceDefinition definition) {
    ResourceCatalog.Snapshot snapshot = catalog.snapshot();
    Known current = known;
    if (current.generation() != snapshot.generation()) {
      Map<StoredType, GroupVersionResource> first = new HashMap<>();
      for (ResourceDefinition each : snapshot.all()) {
        StoredType type = each.storage();
        if (type != null) {
          first.putIfAbsent(type, each.gvr());
        }
      }
      current = new Known(snapshot.generation(), first);
      known = current;
    }
    StoredType type = definition.storage();
    return type == null ? Optional.empty() : Optional.ofNullable(current.first().get(type));
  }
}
