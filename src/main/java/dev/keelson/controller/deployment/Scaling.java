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

  private static final Comparator<ReplicaSetFacts> OLDER =
      Comparator.comparing(ReplicaSetFacts::created).thenComparing(set -> set.name().name());

  private Scaling() {}

  /** The sum of sizes, which may be more than one ReplicaSet can have. */
  static long total(List<ReplicaSetFacts> sets) {
    return sets.stream().mapToLong(ReplicaSetFacts::replicas).sum();
  }

  static int told(List<ReplicaSetFacts> sets, String key) {
    return sets.stream().mapToInt(set -> set.told(key)).sum();
  }

  /**
   * The available pods of ReplicaSets. After a ReplicaSet has become smaller its status tells the
   * pods of its former size for a moment: no more than its size count.
   */
  static long available(List<ReplicaSetFacts> sets) {
    return sets.stream().mapToLong(Scaling::available).sum();
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
    return sets.stream().sorted(OLDER).toList();
  }

  /** The next size of the new ReplicaSet during a rollout. */
  static int ofNew(Deployment deployment, List<ReplicaSetFacts> all, int current) {
    if (deployment.recreates()) {
      return deployment.replicas();
    }
    long room = most(deployment) - total(all);
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
    long toAdd = (deployment.replicas() > 0 ? most(deployment) : 0) - total(active);
    List<ReplicaSetFacts> sorted = new ArrayList<>(active);
    Comparator<ReplicaSetFacts> larger =
        Comparator.comparingInt(ReplicaSetFacts::replicas).reversed();
    sorted.sort(larger.thenComparing(toAdd > 0 ? OLDER.reversed() : OLDER));
    Map<ReplicaSetFacts, Integer> sizes = new LinkedHashMap<>();
    long added = 0;
    for (ReplicaSetFacts set : sorted) {
      long share = share(deployment, set, toAdd, added);
      sizes.put(set, size(set.replicas() + share));
      added += share;
    }
    if (toAdd != 0 && !sorted.isEmpty()) {
      long rest = toAdd - added;
      sizes.computeIfPresent(sorted.getFirst(), (_, size) -> size(size + rest));
    }
    return sizes;
  }

  /** The most pods of all ReplicaSets together, which may be more than one can have. */
  private static long most(Deployment deployment) {
    return (long) deployment.replicas() + deployment.maxSurge();
  }

  private static int size(long pods) {
    return Math.clamp(pods, 0, Integer.MAX_VALUE);
  }

  private static long share(Deployment deployment, ReplicaSetFacts set, long toAdd, long added) {
    if (set.replicas() == 0 || toAdd == 0 || toAdd == added) {
      return 0;
    }
    long fraction = fraction(deployment, set);
    long left = toAdd - added;
    return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
  }

  private static long fraction(Deployment deployment, ReplicaSetFacts set) {
    if (deployment.replicas() == 0) {
      return -(long) set.replicas();
    }
    long annotated = Revisions.count(set, Revisions.MAX);
    long before = annotated > 0 ? annotated : deployment.told("replicas");
    if (before == 0) {
      return 0;
    }
    double size = (double) set.replicas() * most(deployment) / before;
    return Math.round(size) - set.replicas();
  }
}
