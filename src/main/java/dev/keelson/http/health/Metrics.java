package dev.keelson.http.health;

import dev.keelson.api.GroupResource;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Info;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the server in Prometheus' text format. Names and labels are kube-apiserver's, so
 * that its dashboards and alerts work; SQLite has the same {@code etcd_} metrics.
 *
 * <p>Meters of requests are in {@link RequestMeters}.
 */
public final class Metrics {

  /** kube-apiserver's, and finer ones for an in-process store. */
  private static final Duration[] BOUNDS =
      Buckets.seconds(
          0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5,
          6, 8, 10, 15, 20, 30, 45, 60);

  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(key -> null);
  private final MetricReset reset = new MetricReset();
  private final List<Runnable> beforeReading = new CopyOnWriteArrayList<>();
  private final Map<StoreCall, StoreMeters> storeCalls = new ConcurrentHashMap<>();

  private final Set<String> disabled;

  private record StoreCall(String operation, GroupResource resource) {}

  private record StoreMeters(Counter calls, Counter errors, Timer times) {}

  /** Metrics of which none is disabled. */
  public Metrics() {
    this(Set.of(), null);
  }

  /**
   * @param disabled full names of metrics that are not recorded
   * @param labels replaces values of labels; null for none
   */
  public Metrics(Set<String> disabled, @Nullable MeterFilter labels) {
    this.disabled = Set.copyOf(disabled);
    if (!disabled.isEmpty()) {
      registry.config().meterFilter(MeterFilter.deny(id -> isDisabled(id, disabled)));
    }
    registry.config().meterFilter(ProcessMetrics.NAMES);
    if (labels != null) {
      registry.config().meterFilter(labels);
    }
    ProcessMetrics.register(registry);
  }

  /** Names in Prometheus' format end with the unit and, for counters, with {@code _total}. */
  private static boolean isDisabled(Meter.Id id, Set<String> disabled) {
    return fullNames(id).stream().anyMatch(disabled::contains);
  }

  /** The names that a meter may have in Prometheus' format; one of them is its own. */
  public static List<String> fullNames(Meter.Id id) {
    String name = id.getName().replace('.', '_').replace('-', '_');
    String unit = id.getBaseUnit();
    List<String> names = List.of(name, name + "_total", name + "_seconds");
    return unit == null
        ? names
        : Stream.concat(names.stream(), Stream.of(name + "_" + unit)).toList();
  }

  /** The registry, for binders. */
  public MeterRegistry registry() {
    return registry;
  }

  /**
   * Records the duration of a store call.
   *
   * @param operation get, list, create, update or delete
   * @param resource the resource of the key
   * @param failed whether the store did not answer
   */
  public void recordStore(String operation, GroupResource resource, boolean failed, Duration took) {
    StoreMeters meters =
        storeCalls.computeIfAbsent(new StoreCall(operation, resource), this::storeMeters);
    meters.calls.increment();
    if (failed) {
      meters.errors.increment();
    }
    meters.times.record(took);
  }

  /** Adds the version of this server, unless {@code kubernetes_build_info} is disabled. */
  public void describe(Version version) {
    if (!disabled.contains("kubernetes_build_info")) {
      version.register(registry.getPrometheusRegistry());
    }
  }

  /**
   * Adds a metric with histograms that are weighted by time, unless it is disabled.
   *
   * @param labels the names of the labels
   * @param bounds upper bounds of the buckets but the last one
   * @param nanos the time of {@link System#nanoTime}
   */
  public TimedRatios ratios(
      String name, String help, List<String> labels, double[] bounds, LongSupplier nanos) {
    TimedRatios ratios = new TimedRatios(name, help, labels, bounds, nanos);
    if (!disabled.contains(name)) {
      registry.getPrometheusRegistry().register(ratios);
    }
    return ratios;
  }

  /**
   * Adds a metric whose only series has the value 1 and the labels that were told last; none before
   * that, or if it is disabled.
   *
   * @param name with {@code _info}
   * @return takes the values of the labels
   */
  public Consumer<List<String>> info(String name, String help, List<String> labels) {
    Info info = registered(name, help, labels);
    return values -> info.setLabelValues(values.toArray(String[]::new));
  }

  /**
   * Adds a metric whose series all have the value 1; none at first, or if it is disabled.
   *
   * @param name with {@code _info}
   * @param labels the names of the labels
   */
  public InfoSeries infos(String name, String help, List<String> labels) {
    Info info = registered(name, help, labels);
    return new InfoSeries() {
      @Override
      public void add(List<String> values) {
        info.addLabelValues(values.toArray(String[]::new));
      }

      @Override
      public void remove(List<String> values) {
        info.remove(values.toArray(String[]::new));
      }
    };
  }

  private Info registered(String name, String help, List<String> labels) {
    Info info =
        Info.builder().name(name).help(help).labelNames(labels.toArray(String[]::new)).build();
    if (!disabled.contains(name)) {
      registry.getPrometheusRegistry().register(info);
    }
    return info;
  }

  /** Adds a gauge. */
  public void gauge(String name, Map<String, String> labels, Supplier<Number> value) {
    Gauge.builder(name, value).tags(tags(labels)).register(registry);
  }

  /** Increments a counter of a rare event. */
  public void count(String name, String help, Map<String, String> labels) {
    Counter.builder(name).description(help).tags(tags(labels)).register(registry).increment();
  }

  /**
   * Records the duration of a rare event.
   *
   * @param name without {@code _seconds}
   * @param bounds of the histogram
   */
  public void time(
      String name, String help, Map<String, String> labels, List<Duration> bounds, Duration took) {
    Timer.builder(name)
        .description(help)
        .tags(tags(labels))
        .serviceLevelObjectives(bounds.toArray(Duration[]::new))
        .register(registry)
        .record(took);
  }

  /**
   * Adds an action that runs before the metrics are read.
   *
   * @param action must not block
   */
  public void beforeReading(Runnable action) {
    beforeReading.add(action);
  }

  /** The response of {@code /metrics}. */
  public TextResponse answer() {
    beforeReading.forEach(Runnable::run);
    return MetricsText.answer(MetricFamily.all(registry).stream().map(reset::since).toList());
  }

  /** Begins to count from now on, as {@link MetricReset} says. */
  public void reset() {
    reset.reset(MetricFamily.all(registry));
  }

  private StoreMeters storeMeters(StoreCall call) {
    Tags tags =
        Tags.of(
            "operation",
            call.operation(),
            "group",
            call.resource().group(),
            "resource",
            call.resource().resource());
    return new StoreMeters(
        Counter.builder("etcd_requests_total")
            .description("Calls of the store, whichever it is.")
            .tags(tags)
            .register(registry),
        Counter.builder("etcd_request_errors_total")
            .description("Calls of the store that it did not answer.")
            .tags(tags)
            .register(registry),
        Timer.builder("etcd_request_duration")
            .description("Time of a call of the store, whichever it is.")
            .tags(tags)
            .serviceLevelObjectives(BOUNDS)
            .register(registry));
  }

  private static Tags tags(Map<String, String> labels) {
    Tags tags = Tags.empty();
    for (var label : labels.entrySet()) {
      tags = tags.and(label.getKey(), label.getValue());
    }
    return tags;
  }
}
