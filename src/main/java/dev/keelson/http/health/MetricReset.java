package dev.keelson.http.health;

import dev.keelson.http.health.MetricFamily.Series;
import io.prometheus.metrics.model.snapshots.Labels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where counters and histograms with labels begin to count: at the start, or at the last reset. As
 * in kube-apiserver, a reset removes their series until something is counted, and leaves metrics
 * without labels and gauges as they are. Safe for use by any thread.
 */
final class MetricReset {

  /** What was counted at the last reset. */
  private volatile Map<Key, double[]> before = Map.of();

  private record Key(String name, Labels labels) {}

  /**
   * Begins to count from now on.
   *
   * @param families all that is counted, without regard to earlier resets
   */
  void reset(Iterable<MetricFamily> families) {
    Map<Key, double[]> counted = new HashMap<>();
    for (MetricFamily family : families) {
      if (family.type().counts()) {
        for (Series series : family.series()) {
          if (series.labels().size() > 0) {
            counted.put(new Key(family.name(), series.labels()), series.numbers());
          }
        }
      }
    }
    before = Map.copyOf(counted);
  }

  /** The family with what was counted since the last reset. */
  MetricFamily since(MetricFamily family) {
    Map<Key, double[]> counted = before;
    if (counted.isEmpty() || !family.type().counts()) {
      return family;
    }
    List<Series> shown = new ArrayList<>();
    for (Series series : family.series()) {
      double[] then = counted.get(new Key(family.name(), series.labels()));
      if (then == null) {
        shown.add(series);
      } else if (series.numbers()[then.length - 1] > then[then.length - 1]) {
        shown.add(new Series(series.labels(), series.points(), difference(series.numbers(), then)));
      }
    }
    return family.with(shown);
  }

  private static double[] difference(double[] now, double[] then) {
    double[] difference = now.clone();
    for (int i = 0; i < difference.length; i++) {
      difference[i] -= then[i];
    }
    return difference;
  }
}
