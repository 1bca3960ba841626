package dev.keelson.http.health;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.Quantile;
import io.prometheus.metrics.model.snapshots.SummarySnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The series of one name at one time.
 *
 * @param name as it is written, with {@code _total} for counters
 * @param help what it is about; may be blank
 */
record MetricFamily(String name, Type type, String help, List<Series> series) {

  /** Counters that Kubernetes names without the {@code _total} that Prometheus' clients add. */
  private static final Set<String> WITHOUT_TOTAL =
      Set.of(
          "authentication_attempts",
          "authenticated_user_requests",
          "apiserver_admission_webhook_fail_open_count",
          "apiserver_admission_webhook_rejection_count");

  /** The types of the text format. */
  enum Type {
    COUNTER("counter"),
    GAUGE("gauge"),
    HISTOGRAM("histogram"),
    SUMMARY("summary"),
    UNTYPED("untyped");

    private final String word;

    Type(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }

    /** Whether the numbers only grow, so that they can be counted from a time on. */
    boolean counts() {
      return this == COUNTER || this == HISTOGRAM;
    }
  }

  /**
   * One series.
   *
   * @param points the upper bounds of the buckets of a histogram, or the quantiles of a summary;
   *     empty for others
   * @param numbers one for each of {@code points} (buckets with those below them), and then sum and
   *     count; or the only value
   */
  record Series(Labels labels, double[] points, double[] numbers) {

    private static final double[] NONE = {};

    static Series of(Labels labels, double value) {
      return new Series(labels, NONE, new double[] {value});
    }
  }

  MetricFamily {
    series = List.copyOf(series);
  }

  /** The same with other series. */
  MetricFamily with(List<Series> others) {
    return new MetricFamily(name, type, help, others);
  }

  /** The families of a registry, ordered by name. */
  static List<MetricFamily> all(PrometheusMeterRegistry registry) {
    List<MetricFamily> families = new ArrayList<>();
    for (MetricSnapshot snapshot : registry.getPrometheusRegistry().scrape()) {
      MetricFamily family = of(snapshot);
      if (family != null) {
        families.add(family);
      }
    }
    return families;
  }

  /** The family of a snapshot; null if the text format does not have its type. */
  private static @Nullable MetricFamily of(MetricSnapshot snapshot) {
    MetricMetadata about = snapshot.getMetadata();
    String name = about.getPrometheusName();
    String help = about.getHelp() == null ? "" : about.getHelp();
    return switch (snapshot) {
      case CounterSnapshot counters ->
          new MetricFamily(
              WITHOUT_TOTAL.contains(name) ? name : name + "_total",
              Type.COUNTER,
              help,
              counters.getDataPoints().stream()
                  .map(point -> Series.of(point.getLabels(), point.getValue()))
                  .toList());
      case GaugeSnapshot gauges ->
          new MetricFamily(
              name,
              Type.GAUGE,
              help,
              gauges.getDataPoints().stream()
                  .map(point -> Series.of(point.getLabels(), point.getValue()))
                  .toList());
      case HistogramSnapshot histograms ->
          new MetricFamily(
              name,
              Type.HISTOGRAM,
              help,
              histograms.getDataPoints().stream().map(MetricFamily::histogram).toList());
      case SummarySnapshot summaries ->
          new MetricFamily(
              name,
              Type.SUMMARY,
              help,
              summaries.getDataPoints().stream().map(MetricFamily::summary).toList());
      case InfoSnapshot infos ->
          new MetricFamily(
              name + "_info",
              Type.GAUGE,
              help,
              infos.getDataPoints().stream().map(info -> Series.of(info.getLabels(), 1)).toList());
      case UnknownSnapshot values ->
          new MetricFamily(
              name,
              Type.UNTYPED,
              help,
              values.getDataPoints().stream()
                  .map(point -> Series.of(point.getLabels(), point.getValue()))
                  .toList());
      default -> null;
    };
  }

  private static Series histogram(HistogramSnapshot.HistogramDataPointSnapshot point) {
    ClassicHistogramBuckets buckets = point.getClassicBuckets();
    double[] bounds = new double[buckets.size()];
    double[] numbers = new double[buckets.size() + 2];
    long below = 0;
    for (int i = 0; i < buckets.size(); i++) {
      below += buckets.getCount(i);
      bounds[i] = buckets.getUpperBound(i);
      numbers[i] = below;
    }
    numbers[bounds.length] = point.getSum();
    numbers[bounds.length + 1] = below;
    return new Series(point.getLabels(), bounds, numbers);
  }

  private static Series summary(SummarySnapshot.SummaryDataPointSnapshot point) {
    List<Quantile> quantiles = new ArrayList<>();
    point.getQuantiles().forEach(quantiles::add);
    double[] points = quantiles.stream().mapToDouble(Quantile::getQuantile).toArray();
    double[] numbers = Arrays.copyOf(points, points.length + 2);
    for (int i = 0; i < points.length; i++) {
      numbers[i] = quantiles.get(i).getValue();
    }
    numbers[points.length] = point.getSum();
    numbers[points.length + 1] = point.getCount();
    return new Series(point.getLabels(), points, numbers);
  }
}
