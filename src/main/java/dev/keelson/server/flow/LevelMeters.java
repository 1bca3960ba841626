package dev.keelson.server.flow;

import dev.keelson.flow.level.FlowMetrics.Adjustment;
import dev.keelson.flow.level.FlowMetrics.LevelLimits;
import dev.keelson.flow.queue.Flow;
import dev.keelson.flow.queue.LevelObserver;
import dev.keelson.flow.queue.Outcome;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The meters of a priority level. */
final class LevelMeters implements LevelObserver {

  private final MeterRegistry registry;
  private final FlowRatios.Level ratios;
  private final String level;
  private final Map<String, SchemaMeters> schemas = new ConcurrentHashMap<>();
  private volatile LevelLimits limits = new LevelLimits(0, 0, 0);
  private volatile Adjustment adjustment = new Adjustment(0, 0, 0, 0, 0, 0);
  private volatile double progress;
  private volatile double latestStart;

  LevelMeters(MeterRegistry registry, FlowRatios.Level ratios, String level) {
    this.registry = registry;
    this.ratios = ratios;
    this.level = level;
    gauge("nominal_limit_seats", () -> limits.nominal());
    gauge("lower_limit_seats", () -> limits.lower());
    gauge("upper_limit_seats", () -> limits.upper());
    gauge("current_limit_seats", () -> adjustment.current());
    gauge("target_seats", () -> adjustment.target());
    gauge("demand_seats_average", () -> adjustment.average());
    gauge("demand_seats_stdev", () -> adjustment.deviation());
    gauge("demand_seats_high_watermark", () -> adjustment.highWatermark());
    gauge("demand_seats_smoothed", () -> adjustment.smoothed());
    gauge("current_r", () -> progress);
    gauge("dispatch_r", () -> progress);
    gauge("latest_s", () -> latestStart);
  }

  private void gauge(String name, Supplier<Number> value) {
    Gauge.builder(FlowControlMetrics.PREFIX + name, value)
        .tag("priority_level", level)
        .register(registry);
  }

  SchemaMeters of(String schema) {
    return schemas.computeIfAbsent(schema, name -> new SchemaMeters(registry, level, name));
  }

  void limited(LevelLimits next) {
    limits = next;
    ratios.demand().outOf(Math.max(1, next.nominal()));
  }

  void adjusted(Adjustment next) {
    adjustment = next;
  }

  @Override
  public void waiting(Flow flow, int requests, int seats) {
    of(flow.schema()).waiting(requests, seats);
    ratios.waiting().add(requests);
  }

  @Override
  public void enqueued(Flow flow, int length) {
    of(flow.schema()).enqueued(length);
  }

  @Override
  public void executing(Flow flow, int requests, int seats) {
    of(flow.schema()).executing(requests, seats);
    ratios.executing().add(requests);
    ratios.seats().add(seats);
  }

  @Override
  public void demand(int seats) {
    ratios.demand().set(seats);
  }

  @Override
  public void capacity(int seats, int waiting) {
    ratios.seats().outOf(seats);
    ratios.executing().outOf(seats);
    ratios.waiting().outOf(waiting);
  }

  @Override
  public void rejected(Flow flow, Outcome outcome) {
    of(flow.schema()).rejected(outcome);
  }

  @Override
  public void notAccommodated(Flow flow) {
    of(flow.schema()).notAccommodated();
  }

  @Override
  public void dispatched(double r, double start) {
    progress = r;
    latestStart = start;
  }
}
