package dev.keelson.request;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;

/** What a request is about, read from its method, path and query alone. */
public sealed interface RequestInfo {

  /** The path as it was sent, without the query. */
  String path();

  /**
   * A request for a resource.
   *
   * @param path the path as it was sent, without the query
   * @param verb what is asked
   * @param groupVersion the group and version of the path
   * @param namespace the namespace of the path, or empty
   * @param resource the plural of the path
   * @param subresource the segment after the name, or empty
   * @param name the name of the path, or empty; for a list with a field selector on {@code
   *     metadata.name}, that name
   * @param rest what follows the subresource (paths below {@code proxy}), without a leading slash;
   *     mostly empty
   * @param watchPath whether this is one of the deprecated {@code /watch/} paths
   */
  record Resource(
      String path,
      Verb verb,
      GroupVersion groupVersion,
      String namespace,
      String resource,
      String subresource,
      String name,
      String rest,
      boolean watchPath)
      implements RequestInfo {

    /** The collection that is meant. */
    public GroupVersionResource gvr() {
      return groupVersion.resource(resource);
    }

    /** The collection without its version. */
    public GroupResource groupResource() {
      return new GroupResource(groupVersion.group(), resource);
    }
  }

  /**
   * A request for anything else: discovery, health, metrics.
   *
   * @param path the path as it was sent, without the query
   * @param verb the lower-case HTTP method, as authorization rules for URLs name it
   */
  record NonResource(String path, String verb) implements RequestInfo {}
}
