package dev.keelson.server.metrics;

import dev.keelson.http.health.Metrics;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * The sizes of the stores on their disks ({@code apiserver_storage_size_bytes}), with
 * kube-apiserver's names for them: {@code etcd-0} is that of all resources without an override.
 * They are read in the background, at most once an interval and only while somebody reads the
 * metrics; a store that does not answer keeps its last size.
 */
public final class StoreSizeMeters {

  private static final Logger LOG = Logger.getLogger(StoreSizeMeters.class);

  private final Metrics metrics;
  private final List<RevisionedStore> stores;
  private final long intervalNanos;
  private final Map<Integer, Long> sizes = new ConcurrentHashMap<>();
  private final AtomicBoolean reading = new AtomicBoolean();
  private volatile long readNanos;

  /**
   * @param interval the least time between two reads; zero for no metric
   */
  public StoreSizeMeters(Metrics metrics, List<RevisionedStore> stores, Duration interval) {
    this.metrics = metrics;
    this.stores = List.copyOf(stores);
    this.intervalNanos = interval.toNanos();
    this.readNanos = System.nanoTime() - intervalNanos;
  }

  /** Starts to read the sizes unless they are new; does not wait. */
  public void refresh() {
    if (intervalNanos > 0
        && System.nanoTime() - readNanos >= intervalNanos
        && reading.compareAndSet(false, true)) {
      Thread unused = Thread.ofVirtual().name("store-sizes").start(this::read);
    }
  }

  private void read() {
    try {
      for (int i = 0; i < stores.size(); i++) {
        read(i);
      }
      readNanos = System.nanoTime();
    } finally {
      reading.set(false);
    }
  }

  private void read(int store) {
    try {
      long size = stores.get(store).sizeBytes();
      if (sizes.put(store, size) == null) {
        metrics.gauge(
            "apiserver_storage_size_bytes",
            Map.of("storage_cluster_id", "etcd-" + store),
            () -> sizes.getOrDefault(store, 0L));
      }
    } catch (StorageException e) {
      LOG.debugf("event=store-size-unread store=etcd-%d error=%s", store, e.getMessage());
    }
  }
}
