package dev.keelson.client;

import dev.keelson.api.GroupResource;
import dev.keelson.value.SharedText;

/**
 * The address of an object. It has no version: a custom type may be served in other versions later.
 *
 * @param resource the resource; of several with the same objects, the first of the catalog
 * @param namespace empty for cluster-scoped objects
 */
public record ObjectAddress(GroupResource resource, String namespace, String name) {

  public ObjectAddress {
    namespace = SharedText.of(namespace);
  }

  @Override
  public String toString() {
    return resource + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
