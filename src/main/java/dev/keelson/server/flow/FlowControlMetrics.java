package dev.keelson.server.flow;

import dev.keelson.flow.level.FlowMetrics;
import dev.keelson.flow.queue.LevelObserver;
import dev.keelson.http.health.Metrics;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics {@code apiserver_flowcontrol_*}, with kube-apiserver's names, labels and buckets. */
public final class FlowControlMetrics implements FlowMetrics {

  static final String PREFIX = "apiserver_flowcontrol_";

  private final MeterRegistry registry;
  private final FlowRatios ratios;
  private final Map<String, LevelMeters> levels = new ConcurrentHashMap<>();
  private final Map<Phase, AtomicInteger> reads = new EnumMap<>(Phase.class);
  private final Map<Phase, AtomicInteger> writes = new EnumMap<>(Phase.class);
  private volatile double fairFraction;

  /** Registers the meters of all requests; those of levels follow when they are used. */
  public FlowControlMetrics(Metrics metrics) {
    this.registry = metrics.registry();
    this.ratios = new FlowRatios(metrics);
    Gauge.builder(PREFIX + "seat_fair_frac", () -> fairFraction).register(registry);
    inFlight("readOnly", reads);
    inFlight("mutating", writes);
  }

  private void inFlight(String kind, Map<Phase, AtomicInteger> numbers) {
    for (Phase phase : Phase.values()) {
      AtomicInteger number = new AtomicInteger();
      numbers.put(phase, number);
      String name =
          phase == Phase.EXECUTING
              ? "apiserver_current_inflight_requests"
              : "apiserver_current_inqueue_requests";
      Gauge.builder(name, number::get).tag("request_kind", kind).register(registry);
    }
  }

  private LevelMeters meters(String level) {
    return levels.computeIfAbsent(
        level, name -> new LevelMeters(registry, ratios.level(name), name));
  }

  @Override
  public LevelObserver level(String name) {
    return meters(name);
  }

  @Override
  public void estimated(String level, String schema, int seats) {
    meters(level).of(schema).estimated(seats);
  }

  @Override
  public void watches(String level, String schema, int watches) {
    meters(level).of(schema).watched(watches);
  }

  @Override
  public void waited(String level, String schema, boolean executed, Duration time) {
    meters(level).of(schema).waited(executed, time);
  }

  @Override
  public void executed(String level, String schema, boolean watch, Duration time) {
    meters(level).of(schema).executed(watch, time);
  }

  @Override
  public void inFlight(boolean mutating, Phase phase, int change) {
    AtomicInteger number = (mutating ? writes : reads).get(phase);
    if (number != null) {
      int unused = number.addAndGet(change);
    }
    ratios.requests(mutating, phase).add(change);
  }

  @Override
  public void limits(String level, LevelLimits limits) {
    meters(level).limited(limits);
  }

  @Override
  public void adjusted(String level, Adjustment adjustment) {
    meters(level).adjusted(adjustment);
  }

  @Override
  public void fairFraction(double fraction) {
    fairFraction = fraction;
  }
}
