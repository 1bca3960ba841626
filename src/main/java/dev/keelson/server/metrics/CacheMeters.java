package dev.keelson.server.metrics;

import dev.keelson.api.GroupResource;
import dev.keelson.http.health.Buckets;
import dev.keelson.registry.read.ListMetrics;
import dev.keelson.storage.Bytes;
import dev.keelson.watch.CacheFigures;
import dev.keelson.watch.CacheMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the watch cache and of lists (source: apiserver, storage/cacher/metrics and
 * storage/etcd3/metrics).
 */
public final class CacheMeters implements CacheMetrics, ListMetrics {

  private static final Duration[] WAIT =
      Buckets.seconds(0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3);

  private final MeterRegistry registry;
  private final Function<Bytes, GroupResource> resources;
  private final Map<GroupResource, OfType> types = new ConcurrentHashMap<>();
  private final Map<GroupResource, WeakReference<CacheFigures>> caches = new ConcurrentHashMap<>();
  private final Map<Listed, Lists> lists = new ConcurrentHashMap<>();

  private record Listed(GroupResource resource, Source source) {}

  private record Lists(
      Counter lists, Counter fetched, @Nullable Counter evaluated, Counter returned) {}

  /**
   * @param resources names the resource of a key or of a prefix of keys
   */
  public CacheMeters(MeterRegistry registry, Function<Bytes, GroupResource> resources) {
    this.registry = registry;
    this.resources = resources;
  }

  @Override
  public OfType of(Bytes prefix, CacheFigures cache) {
    GroupResource resource = resources.apply(prefix);
    caches.put(resource, new WeakReference<>(cache));
    return types.computeIfAbsent(resource, this::type);
  }

  private OfType type(GroupResource resource) {
    Tags tags = tags(resource);
    gauge("apiserver_watch_cache_resource_version", resource, CacheFigures::revision);
    // the history of a type is bounded by age and memory, so that its capacity is its content
    gauge("watch_cache_capacity", resource, CacheFigures::events);
    gauge("apiserver_resource_size_estimate_bytes", resource, CacheFigures::bytes);
    return new TypeMeters(
        counter("apiserver_storage_events_received_total", "Changes that the store told of.", tags),
        counter("apiserver_watch_cache_events_received_total", "Changes the cache took.", tags),
        counter(
            "apiserver_watch_cache_events_dispatched_total",
            "Changes offered to the watchers of the cache.",
            tags),
        counter(
            "apiserver_watch_cache_initializations_total",
            "Times that the cache was loaded from the store.",
            tags),
        Timer.builder("apiserver_watch_cache_read_wait")
            .description("Time that reads waited for the cache to reach a revision.")
            .tags(tags)
            .serviceLevelObjectives(WAIT)
            .register(registry),
        consistent(tags, /* success= */ true, /* fallback= */ false),
        consistent(tags, /* success= */ true, /* fallback= */ true),
        consistent(tags, /* success= */ false, /* fallback= */ false));
  }

  private Counter consistent(Tags tags, boolean success, boolean fallback) {
    return counter(
        "apiserver_watch_cache_consistent_read_total",
        "Consistent reads by whether the cache served them or the store.",
        tags.and("success", Boolean.toString(success), "fallback", Boolean.toString(fallback)));
  }

  private void gauge(String name, GroupResource resource, ToDoubleFunction<CacheFigures> value) {
    Gauge.builder(
            name,
            () -> {
              WeakReference<CacheFigures> known = caches.get(resource);
              CacheFigures cache = known == null ? null : known.get();
              return cache == null ? Double.NaN : value.applyAsDouble(cache);
            })
        .tags(tags(resource))
        .register(registry);
  }

  private Counter counter(String name, String help, Tags tags) {
    return Counter.builder(name).description(help).tags(tags).register(registry);
  }

  private static Tags tags(GroupResource resource) {
    return Tags.of("group", resource.group(), "resource", resource.resource());
  }

  private record TypeMeters(
      Counter told,
      Counter applied,
      Counter dispatched,
      Counter loads,
      Timer waits,
      Counter fresh,
      Counter fallbacks,
      Counter failures)
      implements OfType {

    @Override
    public void told(int events) {
      told.increment(events);
    }

    @Override
    public void applied(int events) {
      applied.increment(events);
      dispatched.increment(events);
    }

    @Override
    public void loaded() {
      loads.increment();
    }

    @Override
    public void waited(long nanos) {
      waits.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void readFresh(boolean success, boolean fallback) {
      if (success) {
        (fallback ? fallbacks : fresh).increment();
      } else {
        failures.increment();
      }
    }
  }

  @Override
  public void listed(GroupResource resource, Source source, long fetched, long returned) {
    Lists meters = lists.computeIfAbsent(new Listed(resource, source), this::lists);
    meters.lists.increment();
    meters.fetched.increment((double) fetched);
    if (meters.evaluated != null) {
      meters.evaluated.increment((double) fetched);
    }
    meters.returned.increment((double) returned);
  }

  private Lists lists(Listed listed) {
    Tags tags = tags(listed.resource());
    return switch (listed.source()) {
      case STORE -> lists("apiserver_storage_list_", tags, tags);
      // not the name of the index: clients choose the labels, and each would be a series
      case CACHE -> lists("apiserver_cache_list_", tags, tags.and("index", ""));
      case LABEL_INDEX -> lists("apiserver_cache_list_", tags, tags.and("index", "label"));
      case FIELD_INDEX -> lists("apiserver_cache_list_", tags, tags.and("index", "field"));
    };
  }

  private Lists lists(String prefix, Tags tags, Tags indexed) {
    return new Lists(
        counter(prefix + "total", "Lists that were served from here.", indexed),
        counter(prefix + "fetched_objects_total", "Objects read for these lists.", indexed),
        indexed.equals(tags)
            ? counter(prefix + "evaluated_objects_total", "Objects compared for them.", tags)
            : null,
        counter(prefix + "returned_objects_total", "Objects these lists returned.", tags));
  }
}
