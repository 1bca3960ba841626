package dev.keelson.controller.garbage;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.ObjectAddress;
import dev.keelson.object.OwnerReference;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import java.util.Optional;

/**
 * Maps owner references to addresses, and addresses to served resources. Of several resources with
 * the same objects, the first of the catalog is used. Safe for use by several threads.
 */
final class OwnerAddresses {

  private final ResourceCatalog catalog;

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

  /** The resource through which an object is read and changed; empty if it is not served. */
  Optional<GroupVersionResource> served(ObjectAddress address) {
    return definition(address).map(ResourceDefinition::gvr);
  }

  /**
   * The definition of {@link #served}: the version in which the objects of a custom resource are
   * stored if it is served, since no other can be read without conversion.
   */
  Optional<ResourceDefinition> definition(ObjectAddress address) {
    ResourceDefinition found = null;
    for (ResourceDefinition each : catalog.snapshot().find(address.resource())) {
      StoredType type = each.storage();
      if (type != null) {
        boolean stored = each.custom() != null && type.written().kind().equals(each.gvk());
        found = found == null || stored ? each : found;
      }
    }
    return Optional.ofNullable(found);
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

  /** The name of the first resource with the same objects. */
  private Optional<GroupResource> resource(ResourceDefinition definition) {
    StoredType type = definition.storage();
    return type == null
        ? Optional.empty()
        : catalog.snapshot().storedUnder(type.keyPrefix()).stream()
            .findFirst()
            .map(ResourceDefinition::groupResource);
  }
}
