package dev.keelson.server.cache;

import dev.keelson.schema.StoredType;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Reports changes of Services and EndpointSlices in some namespaces. Reads no object; without a
 * namespace it costs nothing.
 */
public final class ServiceChanges implements AutoCloseable {

  private final List<StoredType> types;
  private final WatchCache cache;
  private final KeyLayout layout;
  private final Consumer<String> changed;
  private final Map<String, List<Reflector>> byNamespace = new HashMap<>();

  /** Guards the reflectors; no other lock is taken under it. */
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * @param types the stored Services and EndpointSlices
   * @param changed is given the namespace of each change, on the thread that calls {@link #read};
   *     must not block
   */
  public ServiceChanges(
      List<StoredType> types, WatchCache cache, KeyLayout layout, Consumer<String> changed) {
    this.types = List.copyOf(types);
    this.cache = cache;
    this.layout = layout;
    this.changed = changed;
  }

  /**
   * Follows these namespaces and no others.
   *
   * @param wake runs on any thread when there may be changes to {@link #read}; must not block
   */
  public void follow(Set<String> namespaces, Runnable wake) {
    lock.lock();
    try {
      for (String gone : Set.copyOf(byNamespace.keySet())) {
        if (!namespaces.contains(gone)) {
          closeAll(byNamespace.remove(gone));
        }
      }
      Set<String> more = new HashSet<>(namespaces);
      more.removeAll(byNamespace.keySet());
      for (String namespace : more) {
        byNamespace.put(
            namespace, types.stream().map(type -> reflector(type, namespace, wake)).toList());
      }
    } finally {
      lock.unlock();
    }
    if (!namespaces.isEmpty()) {
      wake.run();
    }
  }

  private Reflector reflector(StoredType type, String namespace, Runnable wake) {
    KeyRange keys = layout.range(type, namespace);
    return new Reflector(type, cache.type(layout.range(type, "").start()), keys, wake);
  }

  /** Reports what changed since the last call. */
  public void read() {
    lock.lock();
    try {
      byNamespace.forEach(
          (namespace, reflectors) -> {
            Reader reader = new Reader();
            reflectors.forEach(reflector -> reflector.read(reader));
            if (reader.any) {
              changed.accept(namespace);
            }
          });
    } finally {
      lock.unlock();
    }
  }

  private static void closeAll(List<Reflector> reflectors) {
    reflectors.forEach(Reflector::close);
  }

  @Override
  public void close() {
    lock.lock();
    try {
      byNamespace.values().forEach(ServiceChanges::closeAll);
      byNamespace.clear();
    } finally {
      lock.unlock();
    }
  }

  private static final class Reader implements Reflector.Reader {
    private boolean any;

    @Override
    public void clear() {
      any = true;
    }

    @Override
    public void put(Entry entry) {
      any = true;
    }

    @Override
    public void remove(Entry last) {
      any = true;
    }
  }
}
