package dev.keelson.scheduler;

import dev.keelson.controller.fit.Resources;
import dev.keelson.controller.fit.Taint;
import dev.keelson.controller.fit.Toleration;
import dev.keelson.scheduler.device.DeviceNeeds;
import dev.keelson.value.Uid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Which of the nodes that a pod fits is the best: the weights and formulas of kube-scheduler's
 * default plug-ins. Pods of one controller are spread over zones and nodes where their pod says
 * nothing about it.
 */
final class Scores {

  private static final int MOST = 100;
  private static final int TAINTS = 3;
  private static final int AFFINITY = 2;
  private static final int SPREAD = 2;
  private static final int NEIGHBORS = 2;

  private static final String HOST = "kubernetes.io/hostname";

  /** The skews of kube-scheduler's default constraints, which are about nodes and zones. */
  private static final int NODE_SKEW = 3;

  private static final int ZONE_SKEW = 5;

  private final PodView pod;
  private final Wants wants;
  private final List<Room> rooms;
  private final long[] totals;

  private Scores(PodView pod, Wants wants, List<Room> rooms) {
    this.pod = pod;
    this.wants = wants;
    this.rooms = rooms;
    this.totals = new long[rooms.size()];
  }

  /**
   * The best of some nodes.
   *
   * @param rooms at least one
   * @param turn decides among equals
   */
  static Room best(
      PodView pod,
      Wants wants,
      DeviceNeeds devices,
      List<Room> rooms,
      Cluster cluster,
      Function<String, Map<String, String>> labelsOf,
      int turn) {
    if (rooms.size() == 1) {
      return rooms.getFirst();
    }
    Scores scores = new Scores(pod, wants, rooms);
    scores.resources();
    scores.taints();
    scores.preferredNodes();
    scores.spread(cluster);
    scores.neighbors(cluster, labelsOf);
    scores.images(cluster);
    scores.devices(devices);
    return scores.highest(turn);
  }

  private Room highest(int turn) {
    long most = Long.MIN_VALUE;
    int equals = 0;
    for (long total : totals) {
      if (total > most) {
        most = total;
        equals = 0;
      }
      equals += total == most ? 1 : 0;
    }
    int skip = Math.floorMod(turn, equals);
    for (int i = 0; i < totals.length; i++) {
      if (totals[i] == most && skip-- == 0) {
        return rooms.get(i);
      }
    }
    throw new IllegalStateException("no node has the highest score");
  }

  /** The least allocated, and the most even use of processors and memory. */
  private void resources() {
    Resources wanted = pod.requests();
    Resources scored = pod.scored();
    boolean asks = wanted.milliCpu() != 0 || wanted.memory() != 0;
    for (int i = 0; i < totals.length; i++) {
      Room room = rooms.get(i);
      Resources all = room.node().allocatable();
      long free =
          free(room.scoredCpu() + scored.milliCpu(), all.milliCpu())
              + free(room.scoredMemory() + scored.memory(), all.memory());
      int known = (all.milliCpu() == 0 ? 0 : 1) + (all.memory() == 0 ? 0 : 1);
      totals[i] += known == 0 ? 0 : free / known;
      if (asks) {
        Resources used = room.used();
        double uneven =
            known < 2
                ? 0
                : share(used.milliCpu() + wanted.milliCpu(), all.milliCpu())
                    - share(used.memory() + wanted.memory(), all.memory());
        totals[i] += (long) ((1 - Math.abs(uneven) / 2) * MOST);
      }
    }
  }

  private static long free(long used, long all) {
    return used > all || all == 0 ? 0 : (all - used) * MOST / all;
  }

  private static double share(long used, long all) {
    return Math.min(1, (double) used / all);
  }

  private void taints() {
    long[] untolerated = new long[totals.length];
    for (int i = 0; i < totals.length; i++) {
      for (Taint taint : rooms.get(i).node().taints()) {
        if (taint.effect().equals(Taint.PREFER_NO_SCHEDULE)
            && !Toleration.anyTolerates(wants.tolerations(), taint)) {
          untolerated[i]++;
        }
      }
    }
    long most = highest(untolerated);
    for (int i = 0; i < totals.length && most > 0; i++) {
      totals[i] += TAINTS * (MOST - MOST * untolerated[i] / most);
    }
  }

  private void preferredNodes() {
    if (wants.preferred().isEmpty()) {
      return;
    }
    long[] weights = new long[totals.length];
    for (int i = 0; i < totals.length; i++) {
      NodeView node = rooms.get(i).node();
      for (Wants.Preferred preferred : wants.preferred()) {
        if (preferred.term().matches(node.name(), node.labels())) {
          weights[i] += preferred.weight();
        }
      }
    }
    addShares(weights, AFFINITY);
  }

  private static long highest(long[] numbers) {
    long highest = 0;
    for (long number : numbers) {
      highest = Math.max(highest, number);
    }
    return highest;
  }

  /** Adds up to the most for the highest number, and for others their share of it. */
  private void addShares(long[] numbers, int weight) {
    long most = highest(numbers);
    for (int i = 0; i < numbers.length && most > 0; i++) {
      totals[i] += weight * (MOST * numbers[i] / most);
    }
  }

  private void spread(Cluster cluster) {
    Uid owner = pod.owner();
    if (!wants.spreads().isEmpty()) {
      spreadAsWanted(cluster);
    } else if (owner != null && !cluster.owned(owner).isEmpty()) {
      spreadByDefault(cluster, cluster.owned(owner));
    }
  }

  private void spreadAsWanted(Cluster cluster) {
    List<Spread> soft = wants.spreads().stream().filter(each -> !each.required()).toList();
    if (soft.isEmpty()) {
      return;
    }
    double[] pods = new double[totals.length];
    boolean[] ignored = new boolean[totals.length];
    for (int i = 0; i < ignored.length; i++) {
      Map<String, String> labels = rooms.get(i).node().labels();
      ignored[i] = !soft.stream().allMatch(each -> labels.containsKey(each.topologyKey()));
    }
    for (Spread constraint : soft) {
      String key = constraint.topologyKey();
      Map<String, Integer> domains = SpreadFit.domains(pod, wants, constraint, soft, cluster);
      addDomains(pods, ignored, key, domains, constraint.most());
    }
    addEvenness(pods, ignored);
  }

  /** Pods of one controller, on nodes and in zones. */
  private void spreadByDefault(Cluster cluster, Map<String, Integer> nodes) {
    double[] pods = new double[totals.length];
    boolean[] none = new boolean[totals.length];
    double weight = weight(totals.length);
    for (int i = 0; i < pods.length; i++) {
      pods[i] = nodes.getOrDefault(rooms.get(i).node().name(), 0) * weight + NODE_SKEW - 1;
    }
    if (cluster.isZoned()) {
      addDomains(pods, none, Cluster.ZONE, byZone(nodes, cluster), ZONE_SKEW);
    }
    addEvenness(pods, none);
  }

  /** So that a key with few values does not count more than one with many. */
  private static double weight(int domains) {
    return Math.log(domains + 2.0);
  }

  private void addDomains(
      double[] pods, boolean[] ignored, String key, Map<String, Integer> domains, long skew) {
    Set<String> values = new HashSet<>();
    int nodes = 0;
    for (int i = 0; i < pods.length; i++) {
      String value = ignored[i] ? null : rooms.get(i).node().labels().get(key);
      if (value != null) {
        values.add(value);
        nodes++;
      }
    }
    double weight = weight(key.equals(HOST) ? nodes : values.size());
    for (int i = 0; i < pods.length; i++) {
      String value = ignored[i] ? null : rooms.get(i).node().labels().get(key);
      if (value != null) {
        pods[i] += domains.getOrDefault(value, 0) * weight + (double) skew - 1;
      }
    }
  }

  /** Adds more for fewer pods; nothing for nodes that are in no domain. */
  private void addEvenness(double[] pods, boolean[] ignored) {
    long fewest = Long.MAX_VALUE;
    long most = 0;
    for (int i = 0; i < pods.length; i++) {
      if (!ignored[i]) {
        fewest = Math.min(fewest, Math.round(pods[i]));
        most = Math.max(most, Math.round(pods[i]));
      }
    }
    for (int i = 0; i < pods.length; i++) {
      if (!ignored[i]) {
        totals[i] +=
            SPREAD * (most == 0 ? MOST : MOST * (most + fewest - Math.round(pods[i])) / most);
      }
    }
  }

  private static Map<String, Integer> byZone(Map<String, Integer> nodes, Cluster cluster) {
    Map<String, Integer> zones = new HashMap<>();
    nodes.forEach(
        (name, count) -> {
          Room room = cluster.room(name);
          if (room != null) {
            zones.merge(Cluster.zone(room.node()), count, Integer::sum);
          }
        });
    return zones;
  }

  private void neighbors(Cluster cluster, Function<String, Map<String, String>> labelsOf) {
    if (pod.terms().preferred().isEmpty() && cluster.withTerms().isEmpty()) {
      return;
    }
    Map<String, Map<String, Long>> weights = new HashMap<>();
    if (!pod.terms().preferred().isEmpty()) {
      for (Room room : cluster.rooms()) {
        for (PodView other : room.pods()) {
          for (PodTerm term : pod.terms().preferred()) {
            if (other.isMeantBy(term, labelsOf)) {
              add(weights, room, term, term.weight());
            }
          }
        }
      }
    }
    for (PodView other : cluster.withTerms()) {
      Room room = cluster.room(other.node());
      if (room != null) {
        for (PodTerm term : other.terms().preferred()) {
          if (pod.isMeantBy(term, labelsOf)) {
            add(weights, room, term, term.weight());
          }
        }
        for (PodTerm term : other.terms().near()) {
          if (pod.isMeantBy(term, labelsOf)) {
            add(weights, room, term, 1);
          }
        }
      }
    }
    long[] sums = new long[totals.length];
    for (int i = 0; i < totals.length; i++) {
      Map<String, String> labels = rooms.get(i).node().labels();
      for (Map.Entry<String, Map<String, Long>> key : weights.entrySet()) {
        String value = labels.get(key.getKey());
        sums[i] += value == null ? 0 : key.getValue().getOrDefault(value, 0L);
      }
    }
    addMost(sums, NEIGHBORS);
  }

  private void images(Cluster cluster) {
    if (cluster.images().isEmpty()) {
      return;
    }
    for (int i = 0; i < totals.length; i++) {
      totals[i] +=
          Images.score(
              wants.images(),
              rooms.get(i).node().images(),
              cluster.images(),
              cluster.rooms().size());
    }
  }

  /** Nodes on which claims get the better of their alternatives. */
  private void devices(DeviceNeeds needs) {
    if (needs.isEmpty()) {
      return;
    }
    long[] ranks = new long[totals.length];
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = needs.rank(rooms.get(i).node().name());
    }
    addShares(ranks, 1);
  }

  private static void add(
      Map<String, Map<String, Long>> weights, Room room, PodTerm term, long weight) {
    String value = room.node().labels().get(term.topologyKey());
    if (value != null) {
      weights
          .computeIfAbsent(term.topologyKey(), key -> new HashMap<>())
          .merge(value, weight, Long::sum);
    }
  }

  /** Adds up to the most for the highest number, and nothing for the lowest. */
  private void addMost(long[] numbers, int weight) {
    long lowest = Long.MAX_VALUE;
    long highest = Long.MIN_VALUE;
    for (long number : numbers) {
      lowest = Math.min(lowest, number);
      highest = Math.max(highest, number);
    }
    if (highest == lowest) {
      return;
    }
    for (int i = 0; i < numbers.length; i++) {
      totals[i] += weight * (MOST * (numbers[i] - lowest) / (highest - lowest));
    }
  }
}
