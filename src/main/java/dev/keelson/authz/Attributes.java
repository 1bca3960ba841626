package dev.keelson.authz;

import dev.keelson.api.GroupResource;
import dev.keelson.request.UserInfo;

/**
 * The attributes of an authorization request: {@code user} does {@code verb} on {@code target}.
 *
 * @param verb the verb as rules name it: a resource verb, a lower-case HTTP method for paths, or a
 *     special verb such as {@code bind}
 */
public record Attributes(UserInfo user, String verb, Target target) {

  /** The target of a request. */
  public sealed interface Target {}

  /**
   * A resource.
   *
   * @param group empty for the core group
   * @param version the API version, {@code *} for all; ignored by rules
   * @param resource the plural
   * @param subresource empty for the main resource
   * @param namespace empty for cluster-scoped resources and for all namespaces
   * @param name empty for collections
   * @param fieldSelector what is selected by fields
   * @param labelSelector what is selected by labels
   */
  public record Resource(
      String group,
      String version,
      String resource,
      String subresource,
      String namespace,
      String name,
      Selection fieldSelector,
      Selection labelSelector)
      implements Target {

    /** A resource with selectors as they were sent, which may be empty. */
    public Resource(
        String group,
        String version,
        String resource,
        String subresource,
        String namespace,
        String name,
        String fieldSelector,
        String labelSelector) {
      this(
          group,
          version,
          resource,
          subresource,
          namespace,
          name,
          Selection.of(fieldSelector),
          Selection.of(labelSelector));
    }

    /** A main resource without selectors. */
    public static Resource of(GroupResource resource, String version, String ns, String name) {
      return new Resource(
          resource.group(),
          version,
          resource.resource(),
          "",
          ns,
          name,
          Selection.NONE,
          Selection.NONE);
    }

    /** The resource as rules name it: {@code resource} or {@code resource/subresource}. */
    public String combined() {
      return subresource.isEmpty() ? resource : resource + "/" + subresource;
    }
  }

  /** A non-resource path, decoded. */
  public record Path(String path) implements Target {}
}
