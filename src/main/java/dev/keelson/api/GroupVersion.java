package dev.keelson.api;

/**
 * An API group and one of its versions, written {@code group/version}, or {@code version} alone for
 * the core group.
 *
 * @param group the group's DNS name, empty for the core group
 * @param version the version, for example {@code v1} or {@code v1beta1}
 */
public record GroupVersion(String group, String version) implements Comparable<GroupVersion> {

  /** The core group's only version. */
  public static final GroupVersion CORE_V1 = new GroupVersion("", "v1");

  /**
   * Reads the form that {@code apiVersion} fields have.
   *
   * @throws IllegalArgumentException if there is more than one slash or the version is empty
   */
  public static GroupVersion parse(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    String version = apiVersion.substring(slash + 1);
    if (version.isEmpty() || version.indexOf('/') >= 0 || slash == 0) {
      throw new IllegalArgumentException("unexpected GroupVersion string: " + apiVersion);
    }
    return new GroupVersion(group, version);
  }

  /** The group and version of a kind. */
  public static GroupVersion of(GroupVersionKind kind) {
    return new GroupVersion(kind.group(), kind.version());
  }

  /** The group and version of a resource. */
  public static GroupVersion of(GroupVersionResource resource) {
    return new GroupVersion(resource.group(), resource.version());
  }

  /** The kind {@code kind} in this group and version. */
  public GroupVersionKind kind(String kind) {
    return new GroupVersionKind(group, version, kind);
  }

  /** The resource {@code resource} (a lower-case plural) in this group and version. */
  public GroupVersionResource resource(String resource) {
    return new GroupVersionResource(group, version, resource);
  }

  @Override
  public int compareTo(GroupVersion other) {
    int byGroup = group.compareTo(other.group);
    return byGroup != 0 ? byGroup : version.compareTo(other.version);
  }

  @Override
  public String toString() {
    return group.isEmpty() ? version : group + "/" + version;
  }
}
