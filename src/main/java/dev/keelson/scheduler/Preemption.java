package dev.keelson.scheduler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the node on which the least is lost when pods of lower priority are deleted to make room
 * (source: kube-scheduler's plug-in DefaultPreemption). The fewest violations of disruption budgets
 * come first.
 */
final class Preemption {

  /** As many nodes as this are looked at. */
  private static final int MOST_CANDIDATES = 100;

  /** The more important first: higher priority, then longer running. */
  private static final Comparator<PodView> IMPORTANCE =
      Comparator.<PodView>comparingInt(PodView::priority)
          .reversed()
          .thenComparing(PodView::started);

  /**
   * A node, and the pods that have to go, the most important first.
   *
   * @param violations how many of them a disruption budget does not allow
   */
  record Candidate(String node, List<PodView> victims, int violations) {

    private int highest() {
      return victims.getFirst().priority();
    }

    private long sum() {
      long sum = 0;
      for (PodView victim : victims) {
        // so that fewer victims are better also with negative priorities
        sum += victim.priority() + (long) Integer.MAX_VALUE + 1;
      }
      return sum;
    }
  }

  private static final Comparator<Candidate> LEAST_LOST =
      Comparator.comparingInt(Candidate::violations)
          .thenComparingInt(Candidate::highest)
          .thenComparingLong(Candidate::sum)
          .thenComparingInt(candidate -> candidate.victims().size())
          .thenComparing(
              candidate -> candidate.victims().getFirst().started(), Comparator.reverseOrder());

  private Preemption() {}

  /**
   * The best candidate; empty if no deletion helps. The cluster is the same afterwards.
   *
   * @param rooms the nodes on which other pods are in the way
   * @param budgets those of all namespaces
   */
  static Optional<Candidate> find(
      PodView pod,
      Wants wants,
      Needs needs,
      List<Room> rooms,
      Cluster cluster,
      List<BudgetView> budgets,
      Function<String, Map<String, String>> labelsOf) {
    List<Candidate> candidates = new ArrayList<>();
    for (Room room : rooms) {
      if (candidates.size() == MOST_CANDIDATES) {
        break;
      }
      candidate(pod, wants, needs, room, cluster, budgets, labelsOf).ifPresent(candidates::add);
    }
    return candidates.stream().min(LEAST_LOST);
  }

  private static Optional<Candidate> candidate(
      PodView pod,
      Wants wants,
      Needs needs,
      Room room,
      Cluster cluster,
      List<BudgetView> budgets,
      Function<String, Map<String, String>> labelsOf) {
    List<PodView> lower =
        room.pods().stream()
            .filter(other -> other.priority() < pod.priority())
            .sorted(IMPORTANCE)
            .toList();
    if (lower.isEmpty()) {
      return Optional.empty();
    }
    lower.forEach(other -> cluster.remove(other.id()));
    try {
      if (!fits(pod, wants, needs, room, cluster, labelsOf)) {
        return Optional.empty();
      }
      List<PodView> violating = BudgetView.violating(lower, budgets);
      List<PodView> victims = new ArrayList<>();
      // those that a budget protects stay before others
      for (PodView other : protectedFirst(lower, violating)) {
        cluster.put(other);
        if (!fits(pod, wants, needs, room, cluster, labelsOf)) {
          cluster.remove(other.id());
          victims.add(other);
        }
      }
      if (victims.isEmpty()) {
        return Optional.empty();
      }
      int violations = (int) victims.stream().filter(violating::contains).count();
      victims.sort(IMPORTANCE);
      return Optional.of(new Candidate(room.node().name(), victims, violations));
    } finally {
      lower.forEach(cluster::put);
    }
  }

  private static List<PodView> protectedFirst(List<PodView> pods, List<PodView> violating) {
    List<PodView> order = new ArrayList<>(violating);
    for (PodView pod : pods) {
      if (!violating.contains(pod)) {
        order.add(pod);
      }
    }
    return order;
  }

  private static boolean fits(
      PodView pod,
      Wants wants,
      Needs needs,
      Room room,
      Cluster cluster,
      Function<String, Map<String, String>> labelsOf) {
    return new Fit(pod, wants, needs, cluster, labelsOf).on(room).fits();
  }
}
