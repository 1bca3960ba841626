package dev.keelson.server;

import dev.keelson.config.option.LimitOptions;
import dev.keelson.config.option.ServerOptions;
import dev.keelson.flow.level.FlowMetrics;
import dev.keelson.flow.level.PriorityLevels;
import dev.keelson.flow.level.WorkEstimator;
import dev.keelson.flow.queue.TimeSource;
import dev.keelson.http.fairness.FairnessParts;
import dev.keelson.http.fairness.PriorityAndFairness;
import dev.keelson.http.health.Metrics;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.StoredType;
import dev.keelson.server.cache.Reflectors;
import dev.keelson.server.flow.CachedCluster;
import dev.keelson.server.flow.FlowControl;
import dev.keelson.server.flow.FlowControlDumps;
import dev.keelson.server.flow.FlowControlFeed;
import dev.keelson.server.flow.FlowControlMetrics;
import dev.keelson.server.registry.BuiltInSteps;
import dev.keelson.server.store.TrackedStores;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import io.vertx.core.Vertx;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/** Produces priority and fairness. */
@Singleton
final class FlowModule {

  private static final String GROUP = "flowcontrol.apiserver.k8s.io";

  @Produces
  @Singleton
  FlowControl flowControl(
      ServerOptions options,
      ResourceCatalog catalog,
      TrackedStores stores,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec,
      Metrics meters,
      Vertx vertx,
      InstantSource clock) {
    LimitOptions limits = options.limits();
    int seats = limits.maxReads() + limits.maxWrites();
    if (!limits.fair() || seats == 0) {
      return FlowControl.OFF;
    }
    TimeSource time =
        new TimeSource(
            System::nanoTime,
            clock::millis,
            (delay, action) -> {
              long unused = vertx.setTimer(millis(delay), timer -> action.run());
            });
    FlowMetrics metrics = new FlowControlMetrics(meters);
    PriorityLevels levels = new PriorityLevels(seats, time, metrics);
    WorkEstimator work =
        new WorkEstimator(new CachedCluster(catalog, cache, layout, System::nanoTime));
    Map<FlowControlFeed.Kind, StoredType> types =
        Map.of(
            FlowControlFeed.Kind.FLOW_SCHEMA,
            BuiltInSteps.stored(catalog, GROUP, "flowschemas"),
            FlowControlFeed.Kind.PRIORITY_LEVEL,
            BuiltInSteps.stored(catalog, GROUP, "prioritylevelconfigurations"));
    return new FlowControl(
        new PriorityAndFairness(
            new FairnessParts(
                levels,
                work,
                metrics,
                time,
                limits.maxReads() > 0,
                limits.maxWrites() > 0,
                limits.requestTimeout())),
        new FlowControlFeed(
            // the tracker of other types: changes need not be known when they are answered
            new Reflectors<>(types, cache, layout, stores.serviceCidrs(), codec), levels),
        new FlowControlDumps(levels));
  }

  /** Timers have whole milliseconds. */
  private static long millis(Duration delay) {
    return Math.max(1, Math.ceilDiv(delay.toNanos(), 1_000_000L));
  }
}
