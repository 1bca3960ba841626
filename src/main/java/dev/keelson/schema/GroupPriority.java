package dev.keelson.schema;

import dev.keelson.api.GroupVersion;
import java.util.HashMap;
import java.util.Map;

/**
 * The place of a group version in discovery: groups and their versions come by falling priorities
 * (source: {@code apiVersionPriorities} of kube-apiserver).
 *
 * @param group of the group among others, from 1 to 20000
 * @param version of the version in its group, from 1 to 1000
 */
public record GroupPriority(int group, int version) {

  /** Of every version of a custom resource. */
  public static final GroupPriority CUSTOM = new GroupPriority(1000, 100);

  private static final int STABLE = 15;
  private static final int BETA = 9;

  private static final Map<GroupVersion, GroupPriority> BUILT_IN = builtIn();

  private static Map<GroupVersion, GroupPriority> builtIn() {
    Map<GroupVersion, GroupPriority> all = new HashMap<>();
    put(all, "", "v1", 18_000, 1);
    put(all, "apps", "v1", 17_800, STABLE);
    put(all, "events.k8s.io", "v1", 17_750, STABLE);
    put(all, "authentication.k8s.io", "v1", 17_700, STABLE);
    put(all, "authorization.k8s.io", "v1", 17_600, STABLE);
    put(all, "autoscaling", "v1", 17_500, STABLE);
    put(all, "autoscaling", "v2", 17_500, 30);
    put(all, "batch", "v1", 17_400, STABLE);
    put(all, "batch", "v1beta1", 17_400, BETA);
    put(all, "certificates.k8s.io", "v1", 17_300, STABLE);
    put(all, "networking.k8s.io", "v1", 17_200, STABLE);
    put(all, "policy", "v1", 17_100, STABLE);
    put(all, "rbac.authorization.k8s.io", "v1", 17_000, STABLE);
    put(all, "storage.k8s.io", "v1", 16_800, STABLE);
    put(all, "apiextensions.k8s.io", "v1", 16_700, STABLE);
    put(all, "admissionregistration.k8s.io", "v1", 16_700, STABLE);
    put(all, "scheduling.k8s.io", "v1", 16_600, STABLE);
    put(all, "coordination.k8s.io", "v1", 16_500, STABLE);
    put(all, "node.k8s.io", "v1", 16_300, STABLE);
    put(all, "discovery.k8s.io", "v1", 16_200, STABLE);
    put(all, "resource.k8s.io", "v1", 16_200, 20);
    put(all, "flowcontrol.apiserver.k8s.io", "v1", 16_100, 21);
    put(all, "internal.apiserver.k8s.io", "v1alpha1", 16_000, 9);
    put(all, "storagemigration.k8s.io", "v1beta1", 15_800, BETA);
    // as kube-apiserver 1.18, the last that had it
    put(all, "auditregistration.k8s.io", "v1alpha1", 16_400, 1);
    // not served by kube-apiserver: behind its groups and before the custom resources, which are
    // last
    put(all, "access.keelson.dev", "v1", 1_100, STABLE);
    put(all, "audit.keelson.dev", "v1", 1_090, STABLE);
    put(all, "extensions", "v1beta1", 1_050, 1);
    return all;
  }

  private static void put(
      Map<GroupVersion, GroupPriority> all, String group, String version, int first, int second) {
    all.put(new GroupVersion(group, version), new GroupPriority(first, second));
  }

  /** The priority of a version that this server serves, built in or custom. */
  public static GroupPriority of(GroupVersion version) {
    return BUILT_IN.getOrDefault(version, CUSTOM);
  }
}
