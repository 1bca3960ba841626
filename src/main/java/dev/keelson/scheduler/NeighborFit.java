package dev.keelson.scheduler;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** The required affinity and anti-affinity between a pod and those that are placed. */
final class NeighborFit {

  /** A domain: a label and its value. */
  private record Domain(String key, String value) {}

  private final PodTerms terms;

  /** Where pods are that all terms of affinity are about. */
  private final Set<Domain> near = new HashSet<>();

  /** Where pods are that a term of anti-affinity is about. */
  private final Set<Domain> apart = new HashSet<>();

  /** Where pods are whose anti-affinity is about this one. */
  private final Set<Domain> refused = new HashSet<>();

  /** Whether it is the first of a group of pods that want to be near each other. */
  private boolean first;

  private NeighborFit(PodTerms terms) {
    this.terms = terms;
  }

  static NeighborFit of(
      PodView pod, Cluster cluster, Function<String, Map<String, String>> labelsOf) {
    NeighborFit fit = new NeighborFit(pod.terms());
    for (PodView other : cluster.withTerms()) {
      Room room = cluster.room(other.node());
      if (room != null) {
        for (PodTerm term : other.terms().apart()) {
          if (pod.isMeantBy(term, labelsOf)) {
            add(room, term, fit.refused);
          }
        }
      }
    }
    if (!pod.terms().near().isEmpty() || !pod.terms().apart().isEmpty()) {
      fit.count(cluster, labelsOf);
      fit.first = fit.near.isEmpty() && matchesAll(pod.terms().near(), pod, labelsOf);
    }
    return fit;
  }

  private void count(Cluster cluster, Function<String, Map<String, String>> labelsOf) {
    for (Room room : cluster.rooms()) {
      for (PodView other : room.pods()) {
        if (!terms.near().isEmpty() && matchesAll(terms.near(), other, labelsOf)) {
          terms.near().forEach(term -> add(room, term, near));
        }
        for (PodTerm term : terms.apart()) {
          if (other.isMeantBy(term, labelsOf)) {
            add(room, term, apart);
          }
        }
      }
    }
  }

  private static boolean matchesAll(
      List<PodTerm> terms, PodView pod, Function<String, Map<String, String>> labelsOf) {
    return terms.stream().allMatch(term -> pod.isMeantBy(term, labelsOf));
  }

  private static void add(Room room, PodTerm term, Set<Domain> domains) {
    String value = room.node().labels().get(term.topologyKey());
    if (value != null) {
      domains.add(new Domain(term.topologyKey(), value));
    }
  }

  Verdict on(NodeView node) {
    for (PodTerm term : terms.near()) {
      String value = node.labels().get(term.topologyKey());
      if (value == null || !(first || near.contains(new Domain(term.topologyKey(), value)))) {
        return Verdict.never("node(s) didn't match pod affinity rules");
      }
    }
    if (isIn(node, apart)) {
      return Verdict.occupied("node(s) didn't match pod anti-affinity rules");
    }
    return isIn(node, refused)
        ? Verdict.occupied("node(s) didn't satisfy existing pods anti-affinity rules")
        : Verdict.FITS;
  }

  private static boolean isIn(NodeView node, Set<Domain> domains) {
    if (domains.isEmpty()) {
      return false;
    }
    for (Map.Entry<String, String> label : node.labels().entrySet()) {
      if (domains.contains(new Domain(label.getKey(), label.getValue()))) {
        return true;
      }
    }
    return false;
  }
}
