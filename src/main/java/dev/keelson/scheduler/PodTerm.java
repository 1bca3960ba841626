package dev.keelson.scheduler;

import dev.keelson.api.LabelSelector;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A term of pod affinity or anti-affinity: pods near the node, and what near means. The label keys
 * to match are in the selector already, where the API server has put them.
 *
 * @param selector the labels of the pods; null selects none
 * @param namespaces the namespaces of the pods
 * @param ofNamespaces further namespaces by their labels; null for none
 * @param topologyKey the label of nodes that are near each other by having the same value
 * @param weight from 1 to 100 for a preference; 0 for a requirement
 */
record PodTerm(
    @Nullable LabelSelector selector,
    Set<String> namespaces,
    @Nullable LabelSelector ofNamespaces,
    String topologyKey,
    int weight) {

  /** Reads a PodAffinityTerm of a pod in a namespace. */
  static PodTerm of(MapNode term, String namespace, int weight) {
    Set<String> namespaces = new HashSet<>();
    for (Node value : term.items("namespaces")) {
      if (value instanceof Node.Text text) {
        namespaces.add(text.value());
      }
    }
    LabelSelector ofNamespaces =
        term.has("namespaceSelector")
            ? Selectors.of(term.map("namespaceSelector")).orElse(null)
            : null;
    if (namespaces.isEmpty() && ofNamespaces == null) {
      namespaces.add(namespace);
    }
    LabelSelector selector =
        term.has("labelSelector") ? Selectors.of(term.map("labelSelector")).orElse(null) : null;
    return new PodTerm(
        selector, Set.copyOf(namespaces), ofNamespaces, term.text("topologyKey"), weight);
  }

  /**
   * Whether the term is about a pod.
   *
   * @param labelsOf the labels of a namespace
   */
  boolean matches(
      ObjectName pod, Map<String, String> labels, Function<String, Map<String, String>> labelsOf) {
    if (selector == null || !selector.matches(labels)) {
      return false;
    }
    String namespace = pod.namespace();
    return namespaces.contains(namespace)
        || (ofNamespaces != null && ofNamespaces.matches(labelsOf.apply(namespace)));
  }
}
