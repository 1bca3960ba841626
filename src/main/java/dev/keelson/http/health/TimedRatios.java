package dev.keelson.http.health;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot.HistogramDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * A metric whose histograms are weighted by time: a ratio is observed at the end of every
 * nanosecond (source: component-base, metrics/prometheusextension, timing_histogram.go). Safe for
 * use by several threads; changes allocate nothing.
 */
public final class TimedRatios implements Collector {

  private final MetricMetadata about;
  private final String[] labels;

  /** Upper and inclusive; the last one is infinite. */
  private final double[] bounds;

  private final LongSupplier nanos;
  private final Map<List<String>, Ratio> ratios = new ConcurrentHashMap<>();

  /**
   * Without series.
   *
   * @param labels the names of the labels
   * @param bounds upper bounds of the buckets but the last one
   * @param nanos the time of {@link System#nanoTime}
   */
  TimedRatios(String name, String help, List<String> labels, double[] bounds, LongSupplier nanos) {
    this.about = new MetricMetadata(name, help);
    this.labels = labels.toArray(String[]::new);
    this.bounds = Arrays.copyOf(bounds, bounds.length + 1);
    this.bounds[bounds.length] = Double.POSITIVE_INFINITY;
    this.nanos = nanos;
  }

  /**
   * The series with these labels, which begins with 0 of 1.
   *
   * @param values the values of the labels
   */
  public Ratio of(String... values) {
    return ratios.computeIfAbsent(List.of(values), key -> new Ratio());
  }

  @Override
  public String getPrometheusName() {
    return about.getPrometheusName();
  }

  @Override
  public MetricSnapshot collect() {
    return new HistogramSnapshot(
        about,
        ratios.entrySet().stream()
            .map(
                each ->
                    each.getValue()
                        .snapshot(Labels.of(labels, each.getKey().toArray(String[]::new))))
            .toList());
  }

  /** One ratio over time. */
  public final class Ratio {
    private final long[] lasted = new long[bounds.length];
    private double sum;
    private double numerator;
    private double denominator = 1;
    private long since = nanos.getAsLong();

    private Ratio() {}

    /** Sets the numerator. */
    public synchronized void set(double value) {
      pass();
      numerator = value;
    }

    /** Adds to the numerator. */
    public synchronized void add(double change) {
      pass();
      numerator += change;
    }

    /**
     * Sets the denominator.
     *
     * @param value above 0
     */
    public synchronized void outOf(double value) {
      pass();
      denominator = value;
    }

    /** Observes the ratio until now. */
    private void pass() {
      long now = nanos.getAsLong();
      long time = Math.max(0, now - since);
      since = now;
      double ratio = numerator / denominator;
      int bucket = 0;
      while (ratio > bounds[bucket]) {
        bucket++;
      }
      lasted[bucket] += time;
      sum += ratio * time;
    }

    private synchronized HistogramDataPointSnapshot snapshot(Labels series) {
      pass();
      return new HistogramDataPointSnapshot(
          ClassicHistogramBuckets.of(bounds, lasted.clone()),
          sum,
          series,
          Exemplars.EMPTY,
          /* createdTimestampMillis= */ 0);
    }
  }
}
