package dev.keelson.scheduler;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best of the first nodes that a pod fits, so that large clusters are not searched whole
 * for each pod (source: kube-scheduler's {@code findNodesThatPassFilters} with the default of
 * {@code percentageOfNodesToScore}). Each search begins behind the last node of the one before, so
 * that all nodes have their turn. Confined to the loop of the scheduler, and called under its lock.
 */
final class NodeSearch {

  private static final int FEWEST_NODES = 100;
  private static final int FEWEST_PERCENT = 5;
  private static final int MOST_PERCENT = 50;

  /** The percentage falls by one for so many nodes. */
  private static final int NODES_PER_PERCENT = 125;

  private final Cluster cluster;
  private final Function<String, Map<String, String>> labelsOf;

  /** The position of the first node of the next search. */
  private int start;

  /** Decides among equal nodes. */
  private int turn;

  /**
   * A search of a cluster.
   *
   * @param labelsOf the labels of a namespace
   */
  NodeSearch(Cluster cluster, Function<String, Map<String, String>> labelsOf) {
    this.cluster = cluster;
    this.labelsOf = labelsOf;
  }

  /** How many nodes that a pod fits are compared, of a cluster of so many. */
  static int enough(int nodes) {
    if (nodes < FEWEST_NODES) {
      return nodes;
    }
    int percent = Math.max(FEWEST_PERCENT, MOST_PERCENT - nodes / NODES_PER_PERCENT);
    return Math.max(FEWEST_NODES, (int) ((long) nodes * percent / 100));
  }

  /**
   * The best node found; null if there is none.
   *
   * @param refusal is told why nodes do not do
   */
  @Nullable Room find(PodView pod, Wants wants, Needs needs, Refusal refusal) {
    List<PodView> before = cluster.nominations().before(pod);
    List<Room> fitting =
        before.isEmpty()
            ? fitting(pod, wants, needs, refusal)
            : fittingBehind(before, pod, wants, needs, refusal);
    String failure = needs.devices().failure();
    if (!failure.isEmpty()) {
      refusal.failed("running \"DynamicResources\" filter plugin: " + failure);
      return null;
    }
    return fitting.isEmpty()
        ? null
        : Scores.best(pod, wants, needs.devices(), fitting, cluster, labelsOf, turn++);
  }

  /**
   * The nodes that the pod fits with those that are nominated before it, and also without them: it
   * must not depend on pods that may yet go elsewhere.
   */
  private List<Room> fittingBehind(
      List<PodView> before, PodView pod, Wants wants, Needs needs, Refusal refusal) {
    List<Room> behind =
        cluster.nominations().placing(before, () -> fitting(pod, wants, needs, refusal));
    Fit alone = new Fit(pod, wants, needs, cluster, labelsOf);
    List<Room> fitting = new ArrayList<>(behind.size());
    for (Room room : behind) {
      Verdict verdict = alone.on(room);
      if (verdict.fits()) {
        fitting.add(room);
      } else {
        refusal.add(room, verdict);
      }
    }
    return fitting;
  }

  /** The nominated node of the pod alone if it fits there, else as many nodes as are enough. */
  private List<Room> fitting(PodView pod, Wants wants, Needs needs, Refusal refusal) {
    Fit fit = new Fit(pod, wants, needs, cluster, labelsOf);
    Room nominated = wants.nominated().isEmpty() ? null : cluster.room(wants.nominated());
    if (nominated != null && fit.on(nominated).fits() && needs.devices().failure().isEmpty()) {
      return List.of(nominated);
    }
    List<Room> rooms = eligible(wants, refusal);
    int all = rooms.size();
    int enough = enough(all);
    List<Room> fitting = new ArrayList<>(enough);
    int looked = 0;
    while (looked < all && fitting.size() < enough) {
      Room room = rooms.get((start + looked) % all);
      looked++;
      Verdict verdict = fit.on(room);
      if (verdict.fits()) {
        fitting.add(room);
      } else {
        refusal.add(room, verdict);
      }
    }
    start = all == 0 ? 0 : (start + looked) % cluster.rooms().size();
    return fitting;
  }

  /** All nodes, or those that the pod names, as those of a DaemonSet do. */
  private List<Room> eligible(Wants wants, Refusal refusal) {
    Set<String> names = wants.required().names();
    if (names == null) {
      return cluster.rooms();
    }
    List<Room> named = new ArrayList<>(names.size());
    for (String name : names) {
      Room room = cluster.room(name);
      if (room != null) {
        named.add(room);
      }
    }
    refusal.others("node(s) didn't satisfy plugin(s) [NodeAffinity]", named.size());
    return named;
  }
}
