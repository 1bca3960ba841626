package dev.keelson.scheduler;

import dev.keelson.controller.fit.Taint;
import dev.keelson.controller.fit.Toleration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The required topology spread constraints of a pod, with the pods that count in each domain. */
final class SpreadFit {

  private static final SpreadFit NONE = new SpreadFit(List.of());

  private record Counted(Spread constraint, Map<String, Integer> domains, int fewest, int self) {}

  private final List<Counted> all;

  private SpreadFit(List<Counted> all) {
    this.all = all;
  }

  static SpreadFit of(PodView pod, Wants wants, Cluster cluster) {
    List<Spread> required = wants.spreads().stream().filter(Spread::required).toList();
    if (required.isEmpty()) {
      return NONE;
    }
    List<Counted> all = new ArrayList<>();
    for (Spread constraint : required) {
      Map<String, Integer> domains = domains(pod, wants, constraint, required, cluster);
      int fewest = Integer.MAX_VALUE;
      for (int count : domains.values()) {
        fewest = Math.min(fewest, count);
      }
      if (domains.size() < constraint.domains()) {
        fewest = 0;
      }
      all.add(
          new Counted(
              constraint,
              domains,
              fewest == Integer.MAX_VALUE ? 0 : fewest,
              constraint.selector().matches(pod.labels()) ? 1 : 0));
    }
    return new SpreadFit(all);
  }

  /** The matching pods of each domain, of the nodes that have the labels of all constraints. */
  static Map<String, Integer> domains(
      PodView pod, Wants wants, Spread constraint, List<Spread> together, Cluster cluster) {
    Map<String, Integer> domains = new HashMap<>();
    for (Room room : cluster.rooms()) {
      NodeView node = room.node();
      if (together.stream().allMatch(each -> node.labels().containsKey(each.topologyKey()))
          && counts(wants, constraint, node)) {
        int pods = 0;
        for (PodView other : room.pods()) {
          if (!other.deleting()
              && other.name().namespace().equals(pod.name().namespace())
              && constraint.selector().matches(other.labels())) {
            pods++;
          }
        }
        String domain = node.labels().getOrDefault(constraint.topologyKey(), "");
        domains.merge(domain, pods, Integer::sum);
      }
    }
    return domains;
  }

  private static boolean counts(Wants wants, Spread constraint, NodeView node) {
    if (constraint.byAffinity() && !wants.required().matches(node.name(), node.labels())) {
      return false;
    }
    if (constraint.byTaints()) {
      for (Taint taint : node.taints()) {
        if (taint.repels() && !Toleration.anyTolerates(wants.tolerations(), taint)) {
          return false;
        }
      }
    }
    return true;
  }

  Verdict on(NodeView node) {
    for (Counted counted : all) {
      String domain = node.labels().get(counted.constraint().topologyKey());
      if (domain == null) {
        return Verdict.never(
            "node(s) didn't match pod topology spread constraints (missing required label)");
      }
      int pods = counted.domains().getOrDefault(domain, 0);
      if (pods + counted.self() - counted.fewest() > counted.constraint().most()) {
        return Verdict.occupied("node(s) didn't match pod topology spread constraints");
      }
    }
    return Verdict.FITS;
  }
}
