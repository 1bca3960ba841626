package dev.keelson.controller.deployment;

import dev.keelson.controller.workload.ReplicaSetFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shares the size of a Deployment out over its ReplicaSets (source: {@code deployment_util.go}).
 */
final class Scaling {

  private Scaling() {}

  static int total(List<ReplicaSetFacts> sets) {
    return sets.stream().mapToInt(ReplicaSetFacts::replicas).sum();
  }

  static int told(List<ReplicaSetFacts> sets, String key) {
    return sets.stream().mapToInt(set -> set.told(key)).sum();
  }

  /**
   * The available pods of ReplicaSets. After a ReplicaSet has become smaller its status tells the
   * pods of its former size for a moment: no more than its size count.
   */
  static int available(List<ReplicaSetFacts> sets) {
    return sets.stream().mapToInt(Scaling::available).sum();
  }

  static int available(ReplicaSetFacts set) {
    return Math.min(set.told("availableReplicas"), set.replicas());
  }

  /** Whether the statuses of ReplicaSets are those of their present sizes. */
  static boolean observed(List<ReplicaSetFacts> sets) {
    return sets.stream().allMatch(set -> set.told("observedGeneration") >= set.generation());
  }

  static List<ReplicaSetFacts> active(List<ReplicaSetFacts> sets) {
    return sets.stream().filter(set -> set.replicas() > 0).toList();
  }

  static List<ReplicaSetFacts> byAge(List<ReplicaSetFacts> sets) {
    return sets.stream()
        .sorted(
            Comparator.comparing(ReplicaSetFacts::created).thenComparing(set -> set.name().name()))
        .toList();
  }

  /** The next size of the new ReplicaSet during a rollout. */
  static int ofNew(Deployment deployment, List<ReplicaSetFacts> all, int current) {
    if (deployment.recreates()) {
      return deployment.replicas();
    }
    long most = (long) deployment.replicas() + deployment.maxSurge();
    long room = most - total(all);
    if (room <= 0) {
      return current;
    }
    return Math.toIntExact(current + Math.min(room, deployment.replicas() - current));
  }

  /**
   * The sizes after a change of the Deployment's size in the middle of a rollout, in proportion to
   * the sizes before.
   *
   * @param active the ReplicaSets with pods
   */
  static Map<ReplicaSetFacts, Integer> proportional(
      Deployment deployment, List<ReplicaSetFacts> active) {
    int allowed = deployment.replicas() > 0 ? deployment.replicas() + deployment.maxSurge() : 0;
    int toAdd = allowed - total(active);
    List<ReplicaSetFacts> sorted = new ArrayList<>(active);
    Comparator<ReplicaSetFacts> larger =
        Comparator.comparingInt(ReplicaSetFacts::replicas).reversed();
    Comparator<ReplicaSetFacts> older = Comparator.comparing(ReplicaSetFacts::created);
    sorted.sort(larger.thenComparing(toAdd > 0 ? older.reversed() : older));
    Map<ReplicaSetFacts, Integer> sizes = new LinkedHashMap<>();
    int added = 0;
    for (ReplicaSetFacts set : sorted) {
      int share = share(deployment, set, toAdd, added);
      sizes.put(set, set.replicas() + share);
      added += share;
    }
    if (toAdd != 0 && !sorted.isEmpty()) {
      int rest = toAdd - added;
      sizes.merge(sorted.getFirst(), rest, (size, more) -> Math.max(0, size + more));
    }
    return sizes;
  }

  private static int share(Deployment deployment, ReplicaSetFacts set, int toAdd, int added) {
    if (set.replicas() == 0 || toAdd == 0 || toAdd == added) {
      return 0;
    }
    int fraction = fraction(deployment, set);
    int left = toAdd - added;
    return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
  }

  private static int fraction(Deployment deployment, ReplicaSetFacts set) {
    if (deployment.replicas() == 0) {
      return -set.replicas();
    }
    int annotated = Revisions.count(set, Revisions.MAX);
    int before = annotated > 0 ? annotated : deployment.told("replicas");
    if (before == 0) {
      return 0;
    }
    double size =
        (double) set.replicas() * (deployment.replicas() + deployment.maxSurge()) / before;
    return Math.toIntExact(Math.round(size)) - set.replicas();
  }
}
