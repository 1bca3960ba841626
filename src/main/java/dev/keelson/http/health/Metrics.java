package dev.keelson.http.health;

import dev.keelson.api.GroupResource;
import dev.keelson.http.Exchange;
import dev.keelson.http.RequestMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The metrics of the server in Prometheus' text format. Names and labels are kube-apiserver's, so
 * that its dashboards and alerts work; SQLite has the same {@code etcd_} metrics.
 *
 * <p>Meters are looked up by small records instead of Micrometer tags, whose construction would
 * cost more than the update. Their number is bounded: see {@link RequestLabels}.
 */
public final class Metrics implements RequestMetrics {

  /** Bucket bounds in milliseconds: kube-apiserver's, and finer ones for an in-process store. */
  private static final Duration[] BOUNDS =
      millis(
          1, 2, 5, 10, 25, 50, 100, 200, 400, 600, 800, 1000, 1250, 1500, 2000, 3000, 4000, 5000,
          6000, 8000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000);

  /** Bucket bounds: powers of two from one millisecond, as in kube-apiserver. */
  private static final Duration[] DECISION_BOUNDS =
      millis(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16_384);

  private static final String COMPONENT = "apiserver";

  private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(key -> null);
  private final RequestLabels.Source labels;
  private final Map<Answered, Counter> answered = new ConcurrentHashMap<>();
  private final Map<RequestLabels, Timer> times = new ConcurrentHashMap<>();
  private final Map<String, Decided> decisions = new ConcurrentHashMap<>();
  private final Map<StoreCall, Timer> storeTimes = new ConcurrentHashMap<>();

  private record Answered(RequestLabels labels, int status) {}

  private record Decided(Counter number, Timer times) {}

  private record StoreCall(String operation, GroupResource resource) {}

  /**
   * @param labels computes the labels of a request
   */
  public Metrics(RequestLabels.Source labels) {
    this(labels, Set.of());
  }

  /**
   * @param labels computes the labels of a request
   * @param disabled full names of metrics that are not recorded
   */
  public Metrics(RequestLabels.Source labels, Set<String> disabled) {
    this.labels = labels;
    if (!disabled.isEmpty()) {
      registry.config().meterFilter(MeterFilter.deny(id -> isDisabled(id, disabled)));
    }
    registry.config().meterFilter(ProcessMetrics.NAMES);
    ProcessMetrics.register(registry);
  }

  /** Names in Prometheus' format end with the unit and, for counters, with {@code _total}. */
  private static boolean isDisabled(Meter.Id id, Set<String> disabled) {
    String name = id.getName().replace('.', '_').replace('-', '_');
    String unit = id.getBaseUnit();
    return disabled.contains(name)
        || disabled.contains(name + "_total")
        || disabled.contains(name + "_seconds")
        || (unit != null && disabled.contains(name + "_" + unit));
  }

  /** The registry, for binders. */
  public MeterRegistry registry() {
    return registry;
  }

  @Override
  public void record(Exchange exchange, int status, Duration took) {
    RequestLabels about = labels.of(exchange);
    answered.computeIfAbsent(new Answered(about, status), this::counter).increment();
    times.computeIfAbsent(about, this::timer).record(took);
  }

  @Override
  public void decided(String result, Duration took) {
    Decided counted = decisions.computeIfAbsent(result, this::decisionsOf);
    counted.number().increment();
    counted.times().record(took);
  }

  private Decided decisionsOf(String result) {
    return new Decided(
        Counter.builder("authorization_attempts_total")
            .description("Decisions whether a request may be done, by what came of it.")
            .tags("result", result)
            .register(registry),
        Timer.builder("authorization_duration")
            .description("Time that it took to decide whether a request may be done.")
            .tags("result", result)
            .serviceLevelObjectives(DECISION_BOUNDS)
            .register(registry));
  }

  /**
   * Records the duration of a store call.
   *
   * @param operation get, list, create, update or delete
   * @param resource the resource of the key
   */
  public void recordStore(String operation, GroupResource resource, Duration took) {
    storeTimes.computeIfAbsent(new StoreCall(operation, resource), this::storeTimer).record(took);
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

  /** The response of {@code /metrics}. */
  public TextResponse answer() {
    return TextResponse.of("text/plain; version=0.0.4; charset=utf-8", registry.scrape());
  }

  private Counter counter(Answered answered) {
    RequestLabels about = answered.labels();
    return Counter.builder("apiserver_request_total")
        .description("Requests by what they were about and how they were answered.")
        .tags(tags(about).and("code", Integer.toString(answered.status())))
        .register(registry);
  }

  private Timer timer(RequestLabels about) {
    return Timer.builder("apiserver_request_duration")
        .description("Time from a request to its answer.")
        .tags(tags(about))
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  private Timer storeTimer(StoreCall call) {
    return Timer.builder("etcd_request_duration")
        .description("Time of a call of the store, whichever it is.")
        .tags(
            "operation",
            call.operation(),
            "group",
            call.resource().group(),
            "resource",
            call.resource().resource())
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  private static Tags tags(RequestLabels about) {
    return Tags.of(
        "component",
        COMPONENT,
        "dry_run",
        about.dryRun(),
        "group",
        about.group(),
        "resource",
        about.resource(),
        "scope",
        about.scope(),
        "subresource",
        about.subresource(),
        "verb",
        about.verb(),
        "version",
        about.version());
  }

  private static Tags tags(Map<String, String> labels) {
    Tags tags = Tags.empty();
    for (var label : labels.entrySet()) {
      tags = tags.and(label.getKey(), label.getValue());
    }
    return tags;
  }

  private static Duration[] millis(long... bounds) {
    Duration[] durations = new Duration[bounds.length];
    for (int i = 0; i < bounds.length; i++) {
      durations[i] = Duration.ofMillis(bounds[i]);
    }
    return durations;
  }
}
