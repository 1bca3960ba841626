package dev.keelson.admission.plugin.node;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks the labels that a kubelet may set on its node: any except those that restrict workloads to
 * nodes (KEP-279).
 */
final class NodeLabels {

  private static final String RESTRICTED = "node-restriction.kubernetes.io";
  private static final Set<String> KUBELET_NAMESPACES =
      Set.of("kubelet.kubernetes.io", "node.kubernetes.io");
  private static final Set<String> KUBELET_LABELS =
      Set.of(
          "kubernetes.io/hostname",
          "kubernetes.io/os",
          "kubernetes.io/arch",
          "beta.kubernetes.io/os",
          "beta.kubernetes.io/arch",
          "beta.kubernetes.io/instance-type",
          "topology.kubernetes.io/zone",
          "topology.kubernetes.io/region",
          "failure-domain.beta.kubernetes.io/zone",
          "failure-domain.beta.kubernetes.io/region");

  private NodeLabels() {}

  /** Returns the changed labels that a kubelet must not set, sorted. */
  static Set<String> forbidden(Map<String, String> next, Map<String, String> current) {
    Set<String> keys = new TreeSet<>(next.keySet());
    keys.addAll(current.keySet());
    keys.removeIf(key -> Objects.equals(next.get(key), current.get(key)) || isFree(key));
    return keys;
  }

  private static boolean isFree(String key) {
    int slash = key.indexOf('/');
    String namespace = slash < 0 ? "" : key.substring(0, slash);
    if (isUnder(namespace, RESTRICTED)) {
      return false;
    }
    boolean kubernetes = isUnder(namespace, "kubernetes.io") || isUnder(namespace, "k8s.io");
    return !kubernetes
        || KUBELET_LABELS.contains(key)
        || KUBELET_NAMESPACES.stream().anyMatch(own -> isUnder(namespace, own));
  }

  private static boolean isUnder(String namespace, String parent) {
    return namespace.equals(parent) || namespace.endsWith("." + parent);
  }
}
