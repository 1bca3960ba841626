package dev.keelson.flow.level;

import dev.keelson.flow.queue.TimeSource;
import dev.keelson.flow.rule.FlowConfiguration;
import dev.keelson.flow.rule.FlowSchema;
import dev.keelson.flow.rule.PriorityLevel;
import dev.keelson.request.RequestInfo;
import dev.keelson.request.UserInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The priority levels of the server (source: apiserver, util/flowcontrol, apf_controller.go).
 * Requests read what the last {@link #update} published; updates and adjustments exclude each other
 * by the monitor.
 */
public final class PriorityLevels {

  /** How often {@link #adjust} is to be called. */
  public static final Duration PERIOD = Duration.ofSeconds(10);

  private final int total;
  private final TimeSource time;
  private final FlowMetrics metrics;
  private volatile Published published;

  /** What requests read. */
  private record Published(FlowConfiguration configuration, Map<String, Level> levels) {}

  /**
   * Begins with the default objects.
   *
   * @param total the seats of the server, above 0
   */
  public PriorityLevels(int total, TimeSource time, FlowMetrics metrics) {
    this.total = total;
    this.time = time;
    this.metrics = metrics;
    FlowConfiguration defaults = FlowConfiguration.defaults();
    this.published = new Published(defaults, Map.of());
    update(defaults);
  }

  /**
   * Changes the configuration. A level whose object is gone gets no new requests; it keeps its
   * share until the last of the others has ended.
   */
  public synchronized void update(FlowConfiguration configuration) {
    Map<String, Level> next = new TreeMap<>();
    for (PriorityLevel spec : configuration.levels().values()) {
      Level known = published.levels.get(spec.name());
      if (known == null) {
        next.put(spec.name(), new Level(spec, time, metrics.level(spec.name())));
      } else {
        known.become(spec);
        next.put(spec.name(), known);
      }
    }
    published.levels.forEach(
        (name, level) -> {
          if (!next.containsKey(name)) {
            level.quiescing = true;
            next.put(name, level);
          }
        });
    publish(configuration, next);
  }

  /** Ends a period: levels lend what they do not need, and those that are done end. */
  public synchronized void adjust() {
    publish(published.configuration, new TreeMap<>(published.levels));
  }

  private void publish(FlowConfiguration configuration, Map<String, Level> levels) {
    levels
        .values()
        .removeIf(
            level -> {
              boolean done = level.quiescing && level.queues().isIdle();
              if (done) {
                metrics.removed(level.spec().name());
              }
              return done;
            });
    double shares = levels.values().stream().mapToDouble(level -> level.spec().shares()).sum();
    int sum = 0;
    for (Level level : levels.values()) {
      // as in Kubernetes, rounded up: the sum may be a little above the total
      double part = shares == 0 ? 0 : level.spec().shares() / shares;
      level.share((int) Math.ceil(total * part), total);
      sum += level.nominal;
      metrics.limits(
          level.spec().name(),
          new FlowMetrics.LevelLimits(level.nominal, level.lower, level.upper));
    }
    new Borrowing(metrics, time.nanos().getAsLong()).adjust(levels.values(), sum);
    published = new Published(configuration, levels);
  }

  /** Finds where a request belongs. */
  public Classified classify(UserInfo user, RequestInfo request) {
    Published now = published;
    FlowSchema schema = now.configuration.classify(user, request);
    Level level = now.levels.get(schema.level());
    if (level == null) {
      throw new IllegalStateException("no level " + schema.level());
    }
    PriorityLevel.Queuing queuing = level.spec().queuing();
    boolean sharded = queuing != null && queuing.queues() > 1;
    return new Classified(schema, level, sharded ? schema.flowOf(user, request) : "");
  }

  /** The levels by name, those that end among them. */
  public List<Level> levels() {
    return new ArrayList<>(published.levels.values());
  }
}
