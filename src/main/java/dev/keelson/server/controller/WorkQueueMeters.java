package dev.keelson.server.controller;

import dev.keelson.controller.WorkQueueMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of work queues, under the names and with the buckets of Kubernetes' components
 * (source: component-base, {@code metrics/prometheus/workqueue}). Those of a queue are registered
 * with its first item. Safe for use by several threads.
 */
public final class WorkQueueMeters implements WorkQueueMetrics {

  /** 10 ns to 10 s. */
  private static final Duration[] BOUNDS =
      IntStream.range(0, 10)
          .mapToObj(power -> Duration.ofNanos(10 * (long) Math.pow(10, power)))
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Map<String, Named> names = new ConcurrentHashMap<>();

  /** Metrics that are registered at {@code registry}. */
  public WorkQueueMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public Events of(Queue queue) {
    return new OfQueue(queue);
  }

  /** The meters of one name, which several queues may share. */
  private static final class Named {

    final Counter adds;
    final Counter retries;
    final Timer waits;
    final Timer works;
    final List<Queue> queues = new CopyOnWriteArrayList<>();

    Named(String name, MeterRegistry registry) {
      adds = counter("workqueue_adds_total", "Items added to the work queue.", name, registry);
      retries =
          counter(
              "workqueue_retries_total",
              "Items that were to be added after a delay.",
              name,
              registry);
      waits =
          timer(
              "workqueue_queue_duration",
              "Time that an item waits in the work queue.",
              name,
              registry);
      works =
          timer("workqueue_work_duration", "Time in which an item is processed.", name, registry);
      gauge("workqueue_depth", "Items that wait in the work queue.", name, registry, Named::depth);
      gauge(
          "workqueue_unfinished_work_seconds",
          "Time since the items under way were taken, in all. A steady rise means stuck workers.",
          name,
          registry,
          each -> total(each) / 1e9);
      gauge(
          "workqueue_longest_running_processor_seconds",
          "Time since the oldest item under way was taken.",
          name,
          registry,
          each -> longest(each) / 1e9);
    }

    private static Counter counter(
        String meter, String description, String name, MeterRegistry registry) {
      return Counter.builder(meter).description(description).tags("name", name).register(registry);
    }

    private static Timer timer(
        String meter, String description, String name, MeterRegistry registry) {
      return Timer.builder(meter)
          .description(description)
          .tags("name", name)
          .serviceLevelObjectives(BOUNDS)
          .register(registry);
    }

    private void gauge(
        String meter,
        String description,
        String name,
        MeterRegistry registry,
        ToDoubleFunction<List<Queue>> value) {
      Gauge.builder(meter, queues, value)
          .description(description)
          .tags("name", name)
          .register(registry);
    }

    private static double depth(List<Queue> all) {
      return all.stream().mapToInt(Queue::depth).sum();
    }

    private static double total(List<Queue> all) {
      return all.stream().map(Queue::unfinished).mapToLong(Unfinished::totalNanos).sum();
    }

    private static double longest(List<Queue> all) {
      return all.stream()
          .map(Queue::unfinished)
          .mapToLong(Unfinished::longestNanos)
          .max()
          .orElse(0);
    }
  }

  /** The events of one queue, under its lock. */
  private final class OfQueue implements Events {

    private final Queue queue;

    /** Null before the first item. */
    private @Nullable Named meters;

    OfQueue(Queue queue) {
      this.queue = queue;
    }

    private Named meters() {
      Named known = meters;
      if (known == null) {
        known = names.computeIfAbsent(queue.name(), name -> new Named(name, registry));
        known.queues.add(queue);
        meters = known;
      }
      return known;
    }

    @Override
    public void added() {
      meters().adds.increment();
    }

    @Override
    public void taken(long waitedNanos) {
      meters().waits.record(waitedNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void done(long workedNanos) {
      meters().works.record(workedNanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void retried() {
      meters().retries.increment();
    }

    @Override
    public void ended() {
      Named known = meters;
      if (known != null) {
        known.queues.remove(queue);
        meters = null;
      }
    }
  }
}
