package dev.keelson.controller.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many nodes may have their pods evicted (source: kube-controller-manager's {@code
 * nodelifecycle}, with the defaults of its flags): one in ten seconds in a zone that is well, fewer
 * in a zone where many nodes are not ready, and none when that is so everywhere, since then it is
 * rather the network than the nodes. Confined to one thread.
 */
final class EvictionPace {

  private static final double NORMAL = 0.1;
  private static final double SECONDARY = 0.01;

  /** From this share of nodes that are not ready, a zone is disrupted. */
  private static final double UNHEALTHY = 0.55;

  private static final int LARGE = 50;
  private static final double NANOS = 1e9;

  /** The state of a zone. */
  private enum State {
    NORMAL,
    PARTIAL,
    FULL
  }

  private final Map<String, Double> tokens = new HashMap<>();
  private long last;
  private boolean begun;

  /**
   * Gives each zone its share of the time since the last call.
   *
   * @param zones whether each node of a zone is ready
   * @param now in nanoseconds
   */
  void pass(Map<String, List<Boolean>> zones, long now) {
    double seconds = begun ? (now - last) / NANOS : 0;
    last = now;
    begun = true;
    boolean allFull = zones.values().stream().allMatch(ready -> state(ready) == State.FULL);
    tokens.keySet().retainAll(zones.keySet());
    zones.forEach(
        (zone, ready) -> {
          double rate = allFull ? 0 : rate(ready);
          // a zone that is seen first may begin at once
          double before = tokens.getOrDefault(zone, rate > 0 ? 1.0 : 0.0);
          tokens.put(zone, rate == 0 ? 0 : Math.min(1, before + rate * seconds));
        });
  }

  private static double rate(List<Boolean> ready) {
    return switch (state(ready)) {
      case NORMAL, FULL -> NORMAL;
      case PARTIAL -> ready.size() > LARGE ? SECONDARY : 0;
    };
  }

  private static State state(List<Boolean> ready) {
    long unready = ready.stream().filter(each -> !each).count();
    if (unready > 0 && unready == ready.size()) {
      return State.FULL;
    }
    boolean many = unready > 2 && (double) unready / ready.size() >= UNHEALTHY;
    return many ? State.PARTIAL : State.NORMAL;
  }

  /** Whether the pods of a node of the zone may be evicted now. */
  boolean take(String zone) {
    double left = tokens.getOrDefault(zone, 0.0);
    if (left < 1) {
      return false;
    }
    tokens.put(zone, left - 1);
    return true;
  }
}
