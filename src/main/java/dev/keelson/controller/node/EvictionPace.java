package dev.keelson.controller.node;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many nodes may have their pods evicted (source: kube-controller-manager's {@code
 * nodelifecycle}): by the rate of {@link SilenceSettings} in a zone that is well, fewer in a zone
 * where many nodes are not ready, and none when that is so everywhere, since then it is rather the
 * network than the nodes. Confined to one thread.
 */
final class EvictionPace {

  private static final double NANOS = 1e9;

  /** The state of a zone. */
  private enum State {
    NORMAL,
    PARTIAL,
    FULL
  }

  private final SilenceSettings settings;
  private final Map<String, Double> tokens = new HashMap<>();
  private long last;
  private boolean begun;

  EvictionPace(SilenceSettings settings) {
    this.settings = settings;
  }

  /**
   * Gives each zone its share of the time since the last call.
   *
   * @param zones whether each node of a zone is ready; a zone of which no node tells is well
   * @param now in nanoseconds
   */
  void pass(Map<String, List<Boolean>> zones, long now) {
    double seconds = begun ? (now - last) / NANOS : 0;
    last = now;
    begun = true;
    boolean allFull =
        zones.values().stream()
            .filter(ready -> !ready.isEmpty())
            .allMatch(ready -> state(ready) == State.FULL);
    tokens.keySet().retainAll(zones.keySet());
    zones.forEach(
        (zone, ready) -> {
          double rate = allFull && !ready.isEmpty() ? 0 : rate(ready);
          // a zone that is seen first may begin at once
          double before = tokens.getOrDefault(zone, rate > 0 ? 1.0 : 0.0);
          tokens.put(zone, rate == 0 ? 0 : Math.min(1, before + rate * seconds));
        });
  }

  private double rate(List<Boolean> ready) {
    return switch (state(ready)) {
      case NORMAL, FULL -> settings.evictionRate();
      case PARTIAL -> ready.size() > settings.largeZone() ? settings.secondaryRate() : 0;
    };
  }

  private State state(List<Boolean> ready) {
    long unready = ready.stream().filter(each -> !each).count();
    if (unready > 0 && unready == ready.size()) {
      return State.FULL;
    }
    boolean many = unready > 2 && (double) unready / ready.size() >= settings.unhealthyShare();
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
