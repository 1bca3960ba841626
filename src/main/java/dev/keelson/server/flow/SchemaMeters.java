package dev.keelson.server.flow;

import dev.keelson.flow.queue.Outcome;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The meters of the requests of a FlowSchema in a priority level. */
final class SchemaMeters {

  /** Bucket bounds of kube-apiserver, but for zero. */
  private static final Duration[] BOUNDS = {
    Duration.ofMillis(5),
    Duration.ofMillis(20),
    Duration.ofMillis(50),
    Duration.ofMillis(100),
    Duration.ofMillis(200),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(2),
    Duration.ofSeconds(5),
    Duration.ofSeconds(10),
    Duration.ofSeconds(15),
    Duration.ofSeconds(30)
  };

  private final MeterRegistry registry;
  private final Tags tags;
  private final AtomicInteger waiting;
  private final AtomicInteger waitingSeats;
  private final AtomicInteger executing;
  private final AtomicInteger executingSeats;
  private final Counter dispatched;
  private final Counter notAccommodated;
  private final DistributionSummary lengths;
  private final DistributionSummary estimates;
  private final DistributionSummary watches;
  private final Timer waited;
  private final Timer rejectedAfter;
  private final Timer regular;
  private final Timer watching;

  SchemaMeters(MeterRegistry registry, String level, String schema) {
    this.registry = registry;
    this.tags = Tags.of("flow_schema", schema, "priority_level", level);
    waiting = gauge("current_inqueue_requests");
    waitingSeats = gauge("current_inqueue_seats");
    executing = gauge("current_executing_requests");
    executingSeats = gauge("current_executing_seats");
    dispatched = counter("dispatched_requests", tags);
    notAccommodated = counter("request_dispatch_no_accommodation", tags);
    lengths = summary("request_queue_length_after_enqueue", 10, 25, 50, 100, 250, 500, 1000);
    estimates = summary("work_estimated_seats", 1, 2, 4, 10);
    watches = summary("watch_count_samples", 1, 10, 100, 1000, 10_000);
    waited = timer("request_wait_duration", "execute", "true");
    rejectedAfter = timer("request_wait_duration", "execute", "false");
    regular = timer("request_execution", "type", "regular");
    watching = timer("request_execution", "type", "watch");
  }

  private AtomicInteger gauge(String name) {
    AtomicInteger value = new AtomicInteger();
    Gauge.builder(FlowControlMetrics.PREFIX + name, value::get).tags(tags).register(registry);
    return value;
  }

  private Counter counter(String name, Tags labels) {
    return Counter.builder(FlowControlMetrics.PREFIX + name).tags(labels).register(registry);
  }

  private DistributionSummary summary(String name, double... bounds) {
    return DistributionSummary.builder(FlowControlMetrics.PREFIX + name)
        .tags(tags)
        .serviceLevelObjectives(bounds)
        .register(registry);
  }

  private Timer timer(String name, String label, String value) {
    return Timer.builder(FlowControlMetrics.PREFIX + name)
        .tags(tags.and(label, value))
        .serviceLevelObjectives(BOUNDS)
        .register(registry);
  }

  void waiting(int requests, int seats) {
    int unused = waiting.addAndGet(requests) + waitingSeats.addAndGet(seats);
  }

  void executing(int requests, int seats) {
    int unused = executing.addAndGet(requests) + executingSeats.addAndGet(seats);
    if (requests > 0) {
      dispatched.increment();
    }
  }

  void enqueued(int length) {
    lengths.record(length);
  }

  void rejected(Outcome outcome) {
    counter("rejected_requests", tags.and("reason", outcome.reason())).increment();
  }

  void notAccommodated() {
    notAccommodated.increment();
  }

  void estimated(int seats) {
    estimates.record(seats);
  }

  void watched(int number) {
    watches.record(number);
  }

  void waited(boolean executed, Duration time) {
    (executed ? waited : rejectedAfter).record(time);
  }

  void executed(boolean watch, Duration time) {
    (watch ? watching : regular).record(time);
  }
}
