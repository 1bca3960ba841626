package dev.keelson.authz;

import dev.keelson.api.GroupResource;
import dev.keelson.request.UserInfo;

/**
 * What authorization is asked: may {@code user} do {@code verb} to {@code target}.
 *
 * @param verb the lower-case word of rules: a verb of resources, a method of paths, or a word of
 *     its own such as {@code bind}
 */
public record Attributes(UserInfo user, String verb, Target target) {

  /** What is to be acted on. */
  public sealed interface Target {}

  /**
   * A resource.
   *
   * @param group empty for the core group
   * @param version the version of the path; rules do not look at it
   * @param resource the plural
   * @param subresource empty for the main resource
   * @param namespace empty for cluster-scoped resources and for all namespaces
   * @param name empty for collections
   * @param fieldSelector the selector as it was sent, or empty
   * @param labelSelector the selector as it was sent, or empty
   */
  public record Resource(
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name,
      String fieldSelector,
      String labelSelector)
      implements Target {

    /** A main resource without selectors. */
    public static Resource of(GroupResource resource, String version, String ns, String name) {
      return new Resource(resource.group(), version, resource.resource(), "", ns, name, "", "");
    }

    /** The resource as rules write it: with its subresource behind a slash. */
    public String combined() {
      return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
  }

  /** A path that is no resource's, as it was sent, decoded. */
  public record Path(String path) implements Target {}
}
