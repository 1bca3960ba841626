package dev.keelson.api;

/**
 * A served collection as paths name it.
 *
 * @param group the group's DNS name, empty for the core group
 * @param version the version, for example {@code v1}
 * @param resource the lower-case plural, for example {@code deployments}
 */
public record GroupVersionResource(String group, String version, String resource) {

  /** The value of {@code apiVersion} in objects of the collection. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  /** The collection without its version, which all versions of one stored object share. */
  public GroupResource groupResource() {
    return new GroupResource(group, resource);
  }

  @Override
  public String toString() {
    return apiVersion() + ", Resource=" + resource;
  }
}
