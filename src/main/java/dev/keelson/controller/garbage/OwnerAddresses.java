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
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Maps owner references to addresses, and addresses to served resources. Of several resources with
 * the same objects, the first of the catalog is used. Safe for use by several threads.
 */
final class OwnerAddresses {

  /**
   * The resources at one generation of the catalog.
   *
   * @param first the first resource by key prefix
   * @param served the version in which the objects of a resource are read: the stored one if it is
   *     served, since no other can be read without conversion
   */
  private record Known(
      long generation,
      Map<String, GroupResource> first,
      Map<GroupResource, ResourceDefinition> served) {}

  private final ResourceCatalog catalog;
  private volatile Known known = new Known(0, Map.of(), Map.of());

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

  /** The definition of {@link #served}. */
  Optional<ResourceDefinition> definition(ObjectAddress address) {
    return Optional.ofNullable(current().served().get(address.resource()));
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

  private Optional<GroupResource> resource(ResourceDefinition definition) {
    StoredType type = definition.storage();
    return type == null
        ? Optional.empty()
        : Optional.ofNullable(current().first().get(type.keyPrefix()));
  }

  private Known current() {
    ResourceCatalog.Snapshot snapshot = catalog.snapshot();
    Known current = known;
    if (current.generation() != snapshot.generation()) {
      Map<String, GroupResource> first = new HashMap<>();
      Map<GroupResource, ResourceDefinition> served = new HashMap<>();
      for (ResourceDefinition each : snapshot.all()) {
        StoredType type = each.storage();
        if (type != null) {
          first.putIfAbsent(type.keyPrefix(), each.groupResource());
          boolean stored = each.custom() != null && type.written().kind().equals(each.gvk());
          if (stored) {
            served.put(each.groupResource(), each);
          } else {
            served.putIfAbsent(each.groupResource(), each);
          }
        }
      }
      current = new Known(snapshot.generation(), first, served);
      known = current;
    }
    return current;
  }
}
