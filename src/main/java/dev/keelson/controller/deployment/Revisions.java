package dev.keelson.controller.deployment;

import dev.keelson.controller.workload.ReplicaSetFacts;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The annotations of ReplicaSets about the rollout (source: {@code deployment_util.go}). */
final class Revisions {

  static final String REVISION = "deployment.kubernetes.io/revision";
  static final String HISTORY = "deployment.kubernetes.io/revision-history";
  static final String DESIRED = "deployment.kubernetes.io/desired-replicas";
  static final String MAX = "deployment.kubernetes.io/max-replicas";

  private static final int LONGEST_HISTORY = 2000;

  private static final Set<String> NOT_COPIED =
      Set.of(
          "kubectl.kubernetes.io/last-applied-configuration",
          REVISION,
          HISTORY,
          DESIRED,
          MAX,
          Deployment.ROLLBACK);

  private Revisions() {}

  /** The revision of an object; 0 if it has none. */
  static long of(Map<String, String> annotations) {
    return number(annotations.getOrDefault(REVISION, ""));
  }

  private static long number(String text) {
    try {
      return text.isEmpty() ? 0 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      // somebody has written it
      return 0;
    }
  }

  /** A count in an annotation, with a surge beyond the range of an int; -1 if there is none. */
  static long count(ReplicaSetFacts set, String key) {
    String text = set.annotations().get(key);
    try {
      return text == null ? -1 : Long.parseLong(text);
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  static long highest(Collection<ReplicaSetFacts> sets) {
    return sets.stream().mapToLong(set -> of(set.annotations())).max().orElse(0);
  }

  /** The last revision before the newest; 0 if there is none. */
  static long last(Collection<ReplicaSetFacts> sets) {
    return sets.stream()
        .map(set -> of(set.annotations()))
        .sorted(Comparator.reverseOrder())
        .skip(1)
        .findFirst()
        .orElse(0L);
  }

  /**
   * The annotations of a Deployment that goes back to a ReplicaSet: its own and those of the set.
   */
  static Map<String, String> restored(Map<String, String> own, Map<String, String> set) {
    Map<String, String> restored = new LinkedHashMap<>(own);
    restored.keySet().retainAll(NOT_COPIED);
    set.forEach(
        (key, value) -> {
          if (!NOT_COPIED.contains(key)) {
            restored.put(key, value);
          }
        });
    restored.remove(Deployment.ROLLBACK);
    return restored;
  }

  /** The annotations of the ReplicaSet of a Deployment's template. */
  static Map<String, String> annotations(
      Map<String, String> current, Deployment deployment, long revision, boolean exists) {
    Map<String, String> next = new LinkedHashMap<>(current);
    deployment
        .annotations()
        .forEach(
            (key, value) -> {
              if (!NOT_COPIED.contains(key)) {
                next.put(key, value);
              }
            });
    long old = of(current);
    if (old < revision) {
      next.put(REVISION, Long.toString(revision));
      if (current.containsKey(REVISION)) {
        next.put(HISTORY, history(current.getOrDefault(HISTORY, ""), current.get(REVISION)));
      }
    }
    if (!exists) {
      next.putAll(sizes(deployment));
    }
    return next;
  }

  /** The sizes by which a later change of the Deployment's size is shared out. */
  static Map<String, String> sizes(Deployment deployment) {
    int replicas = deployment.replicas();
    return Map.of(
        DESIRED, Integer.toString(replicas),
        MAX, Long.toString((long) replicas + deployment.maxSurge()));
  }

  private static String history(String earlier, String revision) {
    String whole = earlier.isEmpty() ? revision : earlier + "," + revision;
    while (whole.length() > LONGEST_HISTORY && whole.indexOf(',') >= 0) {
      whole = whole.substring(whole.indexOf(',') + 1);
    }
    return whole;
  }
}
