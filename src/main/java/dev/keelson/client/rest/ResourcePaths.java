package dev.keelson.client.rest;

import dev.keelson.api.GroupVersionResource;

/** The paths of collections and objects (contract, "Paths"). */
final class ResourcePaths {

  private ResourcePaths() {}

  /** The path of a collection; {@code namespace} is empty for all, or if there are none. */
  static String collection(GroupVersionResource resource, String namespace) {
    String base =
        resource.group().isEmpty()
            ? "/api/" + resource.version()
            : "/apis/" + resource.group() + "/" + resource.version();
    return namespace.isEmpty()
        ? base + "/" + resource.resource()
        : base + "/namespaces/" + namespace + "/" + resource.resource();
  }

  static String object(GroupVersionResource resource, String namespace, String name) {
    return collection(resource, namespace) + "/" + name;
  }
}
