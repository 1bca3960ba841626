package dev.keelson.config.kubernetes;

import dev.keelson.api.GroupVersion;
import java.util.HashSet;
import java.util.Set;
import java.util.StringTokenizer;

/** The group versions that kube-apiserver 1.36 has types of, enabled by default or not. */
public final class KubernetesVersions {

  private static final String BY_GROUP =
      """
      /v1
      admissionregistration.k8s.io/v1 admissionregistration.k8s.io/v1beta1
      admissionregistration.k8s.io/v1alpha1
      apiextensions.k8s.io/v1 apiextensions.k8s.io/v1beta1
      apiregistration.k8s.io/v1 apiregistration.k8s.io/v1beta1
      apps/v1 apps/v1beta1 apps/v1beta2
      authentication.k8s.io/v1 authentication.k8s.io/v1beta1 authentication.k8s.io/v1alpha1
      authorization.k8s.io/v1 authorization.k8s.io/v1beta1
      autoscaling/v1 autoscaling/v2
      batch/v1 batch/v1beta1
      certificates.k8s.io/v1 certificates.k8s.io/v1beta1 certificates.k8s.io/v1alpha1
      coordination.k8s.io/v1 coordination.k8s.io/v1beta1 coordination.k8s.io/v1alpha2
      discovery.k8s.io/v1 discovery.k8s.io/v1beta1
      events.k8s.io/v1 events.k8s.io/v1beta1
      extensions/v1beta1
      flowcontrol.apiserver.k8s.io/v1 flowcontrol.apiserver.k8s.io/v1beta1
      flowcontrol.apiserver.k8s.io/v1beta2 flowcontrol.apiserver.k8s.io/v1beta3
      imagepolicy.k8s.io/v1alpha1
      internal.apiserver.k8s.io/v1alpha1
      networking.k8s.io/v1 networking.k8s.io/v1beta1
      node.k8s.io/v1 node.k8s.io/v1beta1 node.k8s.io/v1alpha1
      policy/v1 policy/v1beta1
      rbac.authorization.k8s.io/v1 rbac.authorization.k8s.io/v1beta1
      rbac.authorization.k8s.io/v1alpha1
      resource.k8s.io/v1 resource.k8s.io/v1alpha3 resource.k8s.io/v1beta1 resource.k8s.io/v1beta2
      scheduling.k8s.io/v1 scheduling.k8s.io/v1beta1 scheduling.k8s.io/v1alpha1
      scheduling.k8s.io/v1alpha2
      storage.k8s.io/v1 storage.k8s.io/v1beta1 storage.k8s.io/v1alpha1
      storagemigration.k8s.io/v1beta1
      """;

  private final Set<String> groups = new HashSet<>();
  private final Set<GroupVersion> versions = new HashSet<>();

  /** Fills the table. */
  public KubernetesVersions() {
    StringTokenizer words = new StringTokenizer(BY_GROUP);
    while (words.hasMoreTokens()) {
      String word = words.nextToken();
      int slash = word.indexOf('/');
      GroupVersion version = new GroupVersion(word.substring(0, slash), word.substring(slash + 1));
      groups.add(version.group());
      versions.add(version);
    }
  }

  /** Whether the group has types. */
  public boolean hasGroup(String group) {
    return groups.contains(group);
  }

  /** Whether the group version has types. */
  public boolean has(GroupVersion version) {
    return versions.contains(version);
  }
}
