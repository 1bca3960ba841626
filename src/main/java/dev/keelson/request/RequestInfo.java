package dev.keelson.request;

import dev.keelson.api.GroupResource;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Verb;

/**
 * The request info: what a request refers to, from its method, path and query (source: apiserver's
 * {@code request.RequestInfo}).
 */
public sealed interface RequestInfo {

  /** The path as sent, without the query. */
  String path();

  /**
   * A request for a resource.
   *
   * @param path the path as sent, without the query
   * @param verb the verb
   * @param groupVersion the group and version of the path
   * @param namespace the namespace, or empty
   * @param resource the plural
   * @param subresource the subresource, or empty
   * @param name the name, or empty; for a list with a field selector on {@code metadata.name}, that
   *     name
   * @param rest the path after the subresource (below {@code proxy}), without a leading slash;
   *     usually empty
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

    /** The resource with its version. */
    public GroupVersionResource gvr() {
      return groupVersion.resource(resource);
    }

    /** The resource without its version. */
    public GroupResource groupResource() {
      return new GroupResource(groupVersion.group(), resource);
    }
  }

  /**
   * A non-resource request: discovery, health, metrics.
   *
   * @param path the path as it was sent, without the query
   * @param verb the lower-case HTTP method, as authorization rules for URLs name it
   */
  record NonResource(String path, String verb) implements RequestInfo {}
}
