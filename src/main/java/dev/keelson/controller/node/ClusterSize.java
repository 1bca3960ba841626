package dev.keelson.controller.node;

import java.util.List;

/**
 * For how long kubelets may use Secrets and ConfigMaps that they have read: the longer, the more
 * nodes there are. The ranges overlap, so that a size at their border changes nothing (source:
 * {@code ttl_controller.go}). Used by one thread.
 */
final class ClusterSize {

  private record Range(int least, int most, int seconds) {}

  private static final List<Range> RANGES =
      List.of(
          new Range(0, 100, 0),
          new Range(90, 500, 15),
          new Range(450, 1000, 30),
          new Range(900, 2000, 60),
          new Range(1800, Integer.MAX_VALUE, 300));

  private int nodes;
  private int step;

  /** Counts a node that has come, and returns the time in seconds. */
  int more() {
    nodes++;
    if (nodes > RANGES.get(step).most()) {
      step++;
    }
    return RANGES.get(step).seconds();
  }

  /** Counts a node that has gone, and returns the time in seconds. */
  int less() {
    nodes--;
    if (nodes < RANGES.get(step).least()) {
      step--;
    }
    return RANGES.get(step).seconds();
  }
}
