package dev.keelson.server.flow;

import dev.keelson.api.GroupResource;
import dev.keelson.flow.level.WorkEstimator;
import dev.keelson.request.RequestInfo;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.Cacher;
import dev.keelson.watch.Snapshot;
import dev.keelson.watch.WatchCache;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** What is stored and watched, from the watch cache. Types that are not loaded are not known. */
public final class CachedCluster implements WorkEstimator.Cluster {

  /** How many objects are looked at for the average size. */
  private static final int SAMPLE = 100;

  /** As often as kube-apiserver counts objects. */
  private static final long SAMPLE_NANOS = Duration.ofMinutes(1).toNanos();

  private final ResourceCatalog catalog;
  private final WatchCache cache;
  private final KeyLayout layout;
  private final LongSupplier nanos;
  private final Map<Bytes, Sample> samples = new ConcurrentHashMap<>();

  /**
   * The size of some objects of a type.
   *
   * @param objects how many there were
   * @param averageBytes of those that were looked at
   * @param time when
   */
  private record Sample(int objects, long averageBytes, long time) {

    /** Whether it may be used for so many objects at a time. */
    boolean isOf(int number, long now) {
      return now - time < SAMPLE_NANOS && number <= 2 * objects && objects <= 2 * number;
    }
  }

  /**
   * @param nanos the time of {@link System#nanoTime}
   */
  public CachedCluster(
      ResourceCatalog catalog, WatchCache cache, KeyLayout layout, LongSupplier nanos) {
    this.catalog = catalog;
    this.cache = cache;
    this.layout = layout;
    this.nanos = nanos;
  }

  @Override
  public Optional<WorkEstimator.Stored> stored(GroupResource resource) {
    StoredType type = type(resource);
    if (type == null) {
      return Optional.empty();
    }
    KeyRange all = layout.range(type, "");
    Cacher cacher = cache.type(all.start());
    if (!cacher.ready()) {
      return Optional.empty();
    }
    Snapshot snapshot = cacher.any();
    int objects = snapshot.count(all);
    return Optional.of(new WorkEstimator.Stored(objects, averageBytes(snapshot, all, objects)));
  }

  private @Nullable StoredType type(GroupResource resource) {
    List<ResourceDefinition> versions = catalog.snapshot().find(resource);
    return versions.isEmpty() ? null : versions.getFirst().storage();
  }

  private long averageBytes(Snapshot snapshot, KeyRange all, int objects) {
    Sample known = samples.get(all.start());
    long now = nanos.getAsLong();
    if (known == null || !known.isOf(objects, now)) {
      known = new Sample(objects, averageBytes(snapshot.iterator(all)), now);
      samples.put(all.start(), known);
    }
    return known.averageBytes;
  }

  private static long averageBytes(Iterator<Entry> entries) {
    long bytes = 0;
    int looked = 0;
    while (looked < SAMPLE && entries.hasNext()) {
      bytes += entries.next().value().length();
      looked++;
    }
    return looked == 0 ? 0 : bytes / looked;
  }

  @Override
  public int watches(RequestInfo.Resource write) {
    StoredType type = type(write.groupResource());
    if (type == null) {
      return 0;
    }
    KeyRange all = layout.range(type, "");
    boolean cluster = write.namespace().isEmpty();
    List<KeyRange> ranges =
        cluster ? List.of(all) : List.of(all, layout.range(type, write.namespace()));
    return cache
        .type(all.start())
        .watchers(ranges, layout.key(type, write.namespace(), write.name()));
  }
}
