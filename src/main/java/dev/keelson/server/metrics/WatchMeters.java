package dev.keelson.server.metrics;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.http.health.Buckets;
import dev.keelson.http.media.WatchMetrics;
import dev.keelson.schema.ResourceDefinition;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The meters of watches (source: apiserver, endpoints/metrics/metrics.go). */
public final class WatchMeters implements WatchMetrics {

  private static final double[] BYTES = Buckets.exponential(1024, 2, 8);

  private static final Duration[] LISTS =
      Buckets.seconds(0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 15, 20, 30, 45, 60);

  private final MeterRegistry registry;
  private final Map<GroupVersionResource, OfType> types = new ConcurrentHashMap<>();

  /** Meters that are registered when a type is first watched. */
  public WatchMeters(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public OfType of(ResourceDefinition definition) {
    return types.computeIfAbsent(definition.gvr(), this::type);
  }

  private OfType type(GroupVersionResource resource) {
    Tags tags =
        Tags.of(
            "group",
            resource.group(),
            "version",
            resource.version(),
            "resource",
            resource.resource());
    return new TypeMeters(
        Counter.builder("apiserver_watch_events_total")
            .description("Events sent to the clients of watches.")
            .tags(tags)
            .register(registry),
        DistributionSummary.builder("apiserver_watch_events_sizes")
            .description("Size of the events sent to the clients of watches, in bytes.")
            .tags(tags)
            .serviceLevelObjectives(BYTES)
            .register(registry),
        lists(tags.and("scope", "namespace")),
        lists(tags.and("scope", "cluster")));
  }

  private Timer lists(Tags tags) {
    return Timer.builder("apiserver_watch_list_duration")
        .description("Time until a watch has sent its initial objects.")
        .tags(tags)
        .serviceLevelObjectives(LISTS)
        .register(registry);
  }

  private record TypeMeters(
      Counter events, DistributionSummary sizes, Timer ofNamespace, Timer ofCluster)
      implements OfType {

    @Override
    public void sent(long bytes) {
      events.increment();
      sizes.record((double) bytes);
    }

    @Override
    public void listed(boolean namespace, long nanos) {
      (namespace ? ofNamespace : ofCluster).record(nanos, TimeUnit.NANOSECONDS);
    }
  }
}
