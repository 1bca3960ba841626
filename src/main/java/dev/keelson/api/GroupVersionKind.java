package dev.keelson.api;

/**
 * The type of an object as {@code apiVersion} and {@code kind} name it.
 *
 * @param group the group's DNS name, empty for the core group
 * @param version the version, for example {@code v1}
 * @param kind the CamelCase kind, for example {@code Deployment}
 */
public record GroupVersionKind(String group, String version, String kind) {

  /** The value of an object's {@code apiVersion} field. */
  public String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  @Override
  public String toString() {
    return apiVersion() + ", Kind=" + kind;
  }
}
