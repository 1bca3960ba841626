package dev.keelson.scheduler;

import dev.keelson.controller.fit.Resources;
import dev.keelson.controller.fit.Taint;
import dev.keelson.controller.fit.Toleration;
import dev.keelson.scheduler.device.DeviceNeeds;
import dev.keelson.value.Uid;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  /** What a pod without requests counts as, so that such pods are spread as well. */
  private static final long DEFAULT_MILLI_CPU = 100;

  private static final long DEFAULT_MEMORY = 200L << 20;

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
    long cpu = Math.max(pod.requests().milliCpu(), DEFAULT_MILLI_CPU);
    long memory = Math.max(pod.requests().memory(), DEFAULT_MEMORY);
    for (int i = 0; i < totals.length; i++) {
      Room room = rooms.get(i);
      Resources all = room.node().allocatable();
      Resources used = room.used();
      double ofCpu = share(used.milliCpu() + cpu, all.milliCpu());
      double ofMemory = share(used.memory() + memory, all.memory());
      totals[i] += (long) ((1 - ofCpu) * MOST + (1 - ofMemory) * MOST) / 2;
      totals[i] += (long) ((1 - Math.abs(ofCpu - ofMemory) / 2) * MOST);
    }
  }

  private static double share(long used, long all) {
    return all == 0 ? 1 : Math.min(1, (double) used / all);
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
    addFewest(untolerated, TAINTS);
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
    addMost(weights, AFFINITY);
  }

  private void spread(Cluster cluster) {
    List<Spread> soft = wants.spreads().stream().filter(each -> !each.required()).toList();
    Uid owner = pod.owner();
    if (wants.spreads().isEmpty() && owner != null) {
      addFewest(siblings(cluster, owner), SPREAD);
      return;
    }
    long[] pods = new long[totals.length];
    for (Spread constraint : soft) {
      Map<String, Integer> domains = SpreadFit.domains(pod, wants, constraint, soft, cluster);
      for (int i = 0; i < totals.length; i++) {
        String domain = rooms.get(i).node().labels().get(constraint.topologyKey());
        pods[i] += domain == null ? Integer.MAX_VALUE : domains.getOrDefault(domain, 0);
      }
    }
    if (!soft.isEmpty()) {
      addFewest(pods, SPREAD);
    }
  }

  /** The pods of the same controller on each node, and in its zone. */
  private long[] siblings(Cluster cluster, Uid owner) {
    Map<String, Integer> nodes = cluster.owned(owner);
    Map<String, Integer> zones = cluster.isZoned() ? byZone(nodes, cluster) : Map.of();
    long[] pods = new long[totals.length];
    for (int i = 0; i < totals.length && !nodes.isEmpty(); i++) {
      NodeView node = rooms.get(i).node();
      pods[i] = nodes.getOrDefault(node.name(), 0) + 2L * zones.getOrDefault(Cluster.zone(node), 0);
    }
    return pods;
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
    long most = 0;
    for (int i = 0; i < ranks.length; i++) {
      ranks[i] = needs.rank(rooms.get(i).node().name());
      most = Math.max(most, ranks[i]);
    }
    for (int i = 0; i < ranks.length && most > 0; i++) {
      totals[i] += MOST * ranks[i] / most;
    }
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

  private void addFewest(long[] numbers, int weight) {
    long[] negative = new long[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      negative[i] = -numbers[i];
    }
    addMost(negative, weight);
  }
}
