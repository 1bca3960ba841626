package dev.keelson.api;

/**
 * A collection without its version.
 *
 * @param group the group's DNS name, empty for the core group
 * @param resource the lower-case plural, for example {@code deployments}
 */
public record GroupResource(String group, String resource) {

  /**
   * The form that error messages use: {@code deployments.apps}, or {@code pods} in the core group.
   */
  @Override
  public String toString() {
    return group.isEmpty() ? resource : resource + "." + group;
  }
}
