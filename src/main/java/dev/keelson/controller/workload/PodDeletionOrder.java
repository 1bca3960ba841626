package dev.keelson.controller.workload;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The order in which pods of a workload are deleted when it is scaled down (source: Kubernetes'
 * {@code ActivePodsWithRanks}, KEP-2255): not scheduled before scheduled, pending before running,
 * not ready before ready, lower deletion cost, more related pods on the node, ready for less time,
 * more restarts, younger. Times are compared by their logarithm (KEP-2185), so that of pods of
 * about the same age any may be first. A pod that does not tell its time is the first.
 *
 * <p>Of Jobs neither the deletion cost nor the nodes count, and times are compared exactly (source:
 * {@code ActivePods}).
 */
public final class PodDeletionOrder implements Comparator<PodFacts> {

  private static final Comparator<PodFacts> BY_STATE =
      Comparator.<PodFacts>comparingInt(pod -> pod.node().isEmpty() ? 0 : 1)
          .thenComparingInt(PodDeletionOrder::phase)
          .thenComparing(PodFacts::ready);

  private static final Comparator<PodFacts> BY_STATE_AND_COST =
      BY_STATE.thenComparingInt(PodFacts::deletionCost);

  private final Comparator<PodFacts> byState;
  private final Map<String, Long> relatedByNode;

  /** Null to compare times exactly. */
  private final @Nullable Instant now;

  /**
   * The order for a ReplicaSet.
   *
   * @param related the active pods of the workload and of its siblings
   */
  public PodDeletionOrder(List<PodFacts> related, Instant now) {
    this(
        BY_STATE_AND_COST,
        related.stream()
            .filter(PodFacts::active)
            .collect(Collectors.groupingBy(PodFacts::node, Collectors.counting())),
        now);
  }

  private PodDeletionOrder(
      Comparator<PodFacts> byState, Map<String, Long> relatedByNode, @Nullable Instant now) {
    this.byState = byState;
    this.relatedByNode = relatedByNode;
    this.now = now;
  }

  /** The order for a Job. */
  public static PodDeletionOrder ofJob() {
    return new PodDeletionOrder(BY_STATE, Map.of(), null);
  }

  @Override
  public int compare(PodFacts one, PodFacts other) {
    int order = byState.compare(one, other);
    if (order == 0) {
      order = Long.compare(related(other), related(one));
    }
    Instant oneReady = one.readySince();
    Instant otherReady = other.readySince();
    if (order == 0 && oneReady != null && otherReady != null && !oneReady.equals(otherReady)) {
      return byAge(one, oneReady, other, otherReady);
    }
    if (order == 0) {
      order = Long.compare(other.restarts(), one.restarts());
    }
    return order != 0 ? order : byAge(one, one.created(), other, other.created());
  }

  private int byAge(PodFacts one, Instant oneSince, PodFacts other, Instant otherSince) {
    int order = Long.compare(age(oneSince), age(otherSince));
    return order != 0 ? order : one.uid().compareTo(other.uid());
  }

  private static int phase(PodFacts pod) {
    return switch (pod.phase()) {
      case "Pending" -> 0;
      case "Unknown" -> 1;
      default -> 2;
    };
  }

  private long related(PodFacts pod) {
    return relatedByNode.getOrDefault(pod.node(), 0L);
  }

  /**
   * Grows with the age: its logarithm to the base 2, in nanoseconds; unknown times are the least.
   */
  private long age(Instant time) {
    if (time.equals(Instant.EPOCH)) {
      return Long.MIN_VALUE;
    }
    Instant until = now;
    if (until == null) {
      // times of the API have seconds
      return -time.getEpochSecond();
    }
    long age = Math.max(0, Duration.between(time, until).toNanos());
    int digits = Long.SIZE - Long.numberOfLeadingZeros(age);
    return digits;
  }
}
