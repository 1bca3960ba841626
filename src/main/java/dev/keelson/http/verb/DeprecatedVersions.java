package dev.keelson.http.verb;

import dev.keelson.api.GroupVersionKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Types that are on their way out, with the releases of Kubernetes that deprecated and removed
 * them, for the warning that goes with each use (KEP-1693).
 */
final class DeprecatedVersions {

  /**
   * The life of a type.
   *
   * @param since the release that deprecated it
   * @param until the release that removed it, or empty
   * @param replacement what to use, or empty
   */
  private record Life(String since, String until, String replacement) {}

  private static final Map<GroupVersionKind, Life> LIVES =
      Map.of(
          extensions("DaemonSet"),
          new Life("v1.8", "v1.16", "apps/v1 DaemonSet"),
          extensions("Deployment"),
          new Life("v1.8", "v1.16", "apps/v1 Deployment"),
          extensions("ReplicaSet"),
          new Life("v1.8", "v1.16", "apps/v1 ReplicaSet"),
          extensions("Ingress"),
          new Life("v1.14", "v1.22", "networking.k8s.io/v1 Ingress"),
          new GroupVersionKind("batch", "v1beta1", "CronJob"),
          new Life("v1.21", "v1.25", "batch/v1 CronJob"),
          new GroupVersionKind("", "v1", "ComponentStatus"),
          new Life("v1.19", "", ""),
          new GroupVersionKind("", "v1", "Endpoints"),
          new Life("v1.33", "", "discovery.k8s.io/v1 EndpointSlice"));

  private DeprecatedVersions() {}

  private static GroupVersionKind extensions(String kind) {
    return new GroupVersionKind("extensions", "v1beta1", kind);
  }

  /** The warning for a use of the type, or null if it is not deprecated. */
  static @Nullable String warning(GroupVersionKind type) {
    Life life = LIVES.get(type);
    if (life == null) {
      return null;
    }
    return type.apiVersion()
        + " "
        + type.kind()
        + " is deprecated in "
        + life.since
        + "+"
        + (life.until.isEmpty() ? "" : ", unavailable in " + life.until + "+")
        + (life.replacement.isEmpty() ? "" : "; use " + life.replacement);
  }
}
