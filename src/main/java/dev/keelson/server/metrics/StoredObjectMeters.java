package dev.keelson.server.metrics;

import dev.keelson.api.GroupResource;
import dev.keelson.http.health.Metrics;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.Cacher;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * The numbers of stored objects by resource. A loaded cache knows its own; the others are counted
 * by the store, at most once a period and only while somebody reads the metrics, in the background.
 */
public final class StoredObjectMeters {

  private static final Logger LOG = Logger.getLogger(StoredObjectMeters.class);

  /** The number of objects that could not be counted, as in kube-apiserver. */
  private static final double UNKNOWN = -1;

  private final Metrics metrics;
  private final ResourceCatalog catalog;
  private final RevisionedStore store;
  private final KeyLayout layout;
  private final Function<StoredType, Optional<Cacher>> caches;
  private final Map<GroupResource, Double> counts = new ConcurrentHashMap<>();
  private final AtomicBoolean counting = new AtomicBoolean();
  private final long periodNanos;
  private volatile long counted;

  /**
   * @param caches the cache of a type; empty if it has none
   * @param period the least time between two counts; zero for no metrics
   */
  public StoredObjectMeters(
      Metrics metrics,
      ResourceCatalog catalog,
      RevisionedStore store,
      KeyLayout layout,
      Function<StoredType, Optional<Cacher>> caches,
      Duration period) {
    this.metrics = metrics;
    this.catalog = catalog;
    this.store = store;
    this.layout = layout;
    this.caches = caches;
    this.periodNanos = period.toNanos();
    this.counted = System.nanoTime() - periodNanos;
  }

  /** Starts to count unless the counts are new; does not wait. */
  public void refresh() {
    if (periodNanos > 0
        && System.nanoTime() - counted >= periodNanos
        && counting.compareAndSet(false, true)) {
      Thread unused = Thread.ofVirtual().name("object-counts").start(this::count);
    }
  }

  private void count() {
    try {
      stored().forEach(this::count);
      counted = System.nanoTime();
    } finally {
      counting.set(false);
    }
  }

  /** The stored types by their resource; the names of old groups share the keys of new ones. */
  private Map<GroupResource, StoredType> stored() {
    Map<GroupResource, StoredType> types = new LinkedHashMap<>();
    for (ResourceDefinition definition : catalog.snapshot().all()) {
      StoredType type = definition.storage();
      if (type != null && type.kind().group().equals(definition.gvr().group())) {
        types.put(definition.groupResource(), type);
      }
    }
    return types;
  }

  private void count(GroupResource resource, StoredType type) {
    double number;
    try {
      number =
          loaded(type).isPresent()
              ? 0
              : store.range(layout.range(type, ""), RevisionedStore.NEWEST, 1).count();
    } catch (StorageException e) {
      LOG.debugf("event=object-count-failed resource=%s error=%s", resource, e.getMessage());
      number = UNKNOWN;
    }
    if (counts.put(resource, number) == null) {
      register(resource, type);
    }
  }

  private Optional<Cacher> loaded(StoredType type) {
    return caches.apply(type).filter(Cacher::ready);
  }

  private void register(GroupResource resource, StoredType type) {
    metrics.gauge(
        "apiserver_storage_objects",
        Map.of("resource", resource.toString()),
        () -> number(resource, type));
    metrics.gauge(
        "apiserver_resource_objects",
        Map.of("group", resource.group(), "resource", resource.resource()),
        () -> number(resource, type));
  }

  private double number(GroupResource resource, StoredType type) {
    Optional<Cacher> loaded = loaded(type);
    return loaded.isPresent() ? loaded.get().objects() : counts.getOrDefault(resource, UNKNOWN);
  }
}
