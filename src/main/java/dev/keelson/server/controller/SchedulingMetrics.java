package dev.keelson.server.controller;

import dev.keelson.scheduler.SchedulerMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.ToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of the scheduler, under kube-scheduler's names and with its buckets. Each is
 * registered when it is first used. Safe for use by several threads.
 */
public final class SchedulingMetrics implements SchedulerMetrics {

  private static final String PROFILE = "default-scheduler";
  private static final Duration[] ATTEMPT_BOUNDS = doubling(Duration.ofMillis(1), 15);
  private static final Duration[] POD_BOUNDS = doubling(Duration.ofMillis(10), 20);

  private final MeterRegistry registry;
  private final Map<Result, Ended> ended = new ConcurrentHashMap<>();
  private final Map<Integer, Timer> pods = new ConcurrentHashMap<>();

  /** Null until they are used; the registry returns the same ones to threads that register both. */
  private volatile @Nullable Timer algorithm;

  private volatile @Nullable DistributionSummary tries;
  private final AtomicBoolean measured = new AtomicBoolean();
  private volatile ToIntFunction<Waiting> waiting = reason -> 0;

  private record Ended(Counter number, Timer times) {}

  /** Metrics that are registered at {@code registry}. */
  public SchedulingMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  private static Duration[] doubling(Duration first, int count) {
    return IntStream.range(0, count)
        // not multipliedBy, which goes by BigDecimal: its tables take long in a JVM that has just
        // begun
        .mapToObj(power -> Duration.ofNanos(first.toNanos() << power))
        .toArray(Duration[]::new);
  }

  private static double[] doubling(int count) {
    return IntStream.range(0, count).mapToDouble(power -> 1 << power).toArray();
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public void attempted(Result result, long nanos) {
    Ended metrics = ended.computeIfAbsent(result, this::endedBy);
    metrics.number().increment();
    metrics.times().record(Duration.ofNanos(nanos));
  }

  private Ended endedBy(Result result) {
    return new Ended(
        Counter.builder("scheduler_schedule_attempts_total")
            .description("Attempts to place pods, by how they ended.")
            .tags("profile", PROFILE, "result", word(result))
            .register(registry),
        Timer.builder("scheduler_scheduling_attempt_duration")
            .description("Time of an attempt to place a pod, with the binding.")
            .tags("profile", PROFILE, "result", word(result))
            .serviceLevelObjectives(ATTEMPT_BOUNDS)
            .register(registry));
  }

  @Override
  public void chose(long nanos) {
    Timer times = algorithm;
    if (times == null) {
      times =
          Timer.builder("scheduler_scheduling_algorithm_duration")
              .description("Time in which a node was chosen.")
              .serviceLevelObjectives(ATTEMPT_BOUNDS)
              .register(registry);
      algorithm = times;
    }
    times.record(Duration.ofNanos(nanos));
  }

  @Override
  public void bound(int attempts, long nanos) {
    DistributionSummary numbers = tries;
    if (numbers == null) {
      numbers =
          DistributionSummary.builder("scheduler_pod_scheduling_attempts")
              .description("Attempts until a pod was bound.")
              .serviceLevelObjectives(doubling(5))
              .register(registry);
      tries = numbers;
    }
    numbers.record(attempts);
    // more attempts share a series, as in kube-scheduler
    pods.computeIfAbsent(Math.min(attempts, 16), this::podTimes).record(Duration.ofNanos(nanos));
  }

  private Timer podTimes(int attempts) {
    return Timer.builder("scheduler_pod_scheduling_sli_duration")
        .description("Time from the first attempt until a pod was bound.")
        .tags("attempts", attempts == 16 ? "16+" : Integer.toString(attempts))
        .serviceLevelObjectives(POD_BOUNDS)
        .register(registry);
  }

  @Override
  public void preempted(int victims) {
    Counter.builder("scheduler_preemption_attempts_total")
        .description("How often room was looked for.")
        .register(registry)
        .increment();
    if (victims > 0) {
      DistributionSummary.builder("scheduler_preemption_victims")
          .description("Pods that had to go for another one.")
          .serviceLevelObjectives(doubling(7))
          .register(registry)
          .record(victims);
    }
  }

  @Override
  public void measure(ToIntFunction<Waiting> pods) {
    waiting = pods;
    if (measured.compareAndSet(false, true)) {
      for (Waiting reason : Waiting.values()) {
        Gauge.builder("scheduler_pending_pods", () -> waiting.applyAsInt(reason))
            .description("Pods without a node, by why they wait.")
            .tags("queue", word(reason))
            .register(registry);
      }
    }
  }
}
