package dev.keelson.server.controller;

import dev.keelson.controller.workload.EvictionMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.stream.LongStream;

/**
 * The metrics of the controllers that evict pods for taints, under the names and with the buckets
 * of kube-controller-manager.
 */
public final class EvictionMeters {

  private static final Duration[] BOUNDS =
      LongStream.of(5, 25, 100, 500, 1000, 2500, 10_000, 30_000, 60_000, 120_000, 180_000, 240_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;

  /** Metrics that are registered at {@code registry}. */
  public EvictionMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Those of a controller, by the begin of their names; they begin at 0. */
  EvictionMetrics of(String subsystem) {
    Counter pods =
        Counter.builder(subsystem + "_pod_deletions_total")
            .description("Pods that were deleted for a taint.")
            .register(registry);
    Timer late =
        Timer.builder(subsystem + "_pod_deletion_duration")
            .description("Time from when a pod had to go until it was deleted.")
            .serviceLevelObjectives(BOUNDS)
            .register(registry);
    return duration -> {
      pods.increment();
      late.record(duration.isNegative() ? Duration.ZERO : duration);
    };
  }
}
