package dev.keelson.client;

import dev.keelson.api.GroupVersionResource;

/**
 * The address of an object.
 *
 * @param resource the resource; of several with the same objects, the first of the catalog
 * @param namespace empty for cluster-scoped objects
 */
public record ObjectAddress(GroupVersionResource resource, String namespace, String name) {

  @Override
  public String toString() {
    return resource + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
