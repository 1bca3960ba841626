package dev.keelson.client.informer;

import dev.keelson.api.ApiException;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.object.ApiObject;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A cache of the objects of a resource, kept up to date by a watch, which it may share with other
 * informers (client-go's shared informer). Has no thread: {@link #follow} is called again and again
 * by one thread, the other methods by any.
 *
 * @param <T> what is kept of an object
 */
public final class Informer<T> {

  private final SharedWatch watch;
  private final Projection<T> projection;
  private final ObjectCache<T> cache;
  private final List<ObjectListener<T>> listeners = new CopyOnWriteArrayList<>();

  /** Changes of the cache and calls of listeners are one step. */
  private final ReentrantLock order = new ReentrantLock();

  private final CountDownLatch synced = new CountDownLatch(1);

  /** An informer with a watch of its own that has not begun. */
  public Informer(
      ApiClient client, Selection selection, Projection<T> projection, List<Index<T>> indexes) {
    this(new SharedWatch(client, selection), projection, indexes);
  }

  private Informer(SharedWatch watch, Projection<T> projection, List<Index<T>> indexes) {
    this.watch = watch;
    this.projection = projection;
    this.cache = new ObjectCache<>(List.copyOf(indexes));
    watch.add(new Received());
  }

  /** An informer of a type, with a watch of its own that has not begun. */
  public static <T> Informer<T> of(ApiClient client, InformerType<T> type) {
    return of(new SharedWatch(client, type.selection()), type);
  }

  /**
   * An informer of a type.
   *
   * @param watch has not begun, and has the selection of the type
   */
  public static <T> Informer<T> of(SharedWatch watch, InformerType<T> type) {
    return new Informer<>(watch, type.projection(), type.indexes());
  }

  /** Adds a listener, which is told the objects that are there at once, on this thread. */
  public void listen(ObjectListener<T> listener) {
    order.lock();
    try {
      cache.forEach(listener::added);
      listeners.add(listener);
    } finally {
      order.unlock();
    }
  }

  /** Whether the cache has been complete once. */
  public boolean hasSynced() {
    return synced.getCount() == 0;
  }

  /** Waits until the cache has been complete once. */
  public void awaitSync() throws InterruptedException {
    synced.await();
  }

  /** Waits until the cache has been complete once; false on timeout. */
  public boolean awaitSync(Duration longest) throws InterruptedException {
    return synced.await(longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The object in the cache. */
  public Optional<T> get(ObjectName name) {
    return Optional.ofNullable(cache.get(name));
  }

  /** All objects, in no order. */
  public List<T> list() {
    return cache.all();
  }

  /** The objects of a namespace, in no order. */
  public List<T> list(String namespace) {
    return cache.inNamespace(namespace);
  }

  /** The objects that have a value in an index, in no order. */
  public List<T> by(Index<T> index, String value) {
    return cache.by(index, value);
  }

  /**
   * Follows the objects until the watch ends, as it does after some time; call it again. Informers
   * with the same watch follow theirs as well.
   *
   * @throws IOException if the connection breaks
   * @throws ApiException if the server refuses the watch
   */
  public void follow() throws IOException, InterruptedException {
    watch.follow();
  }

  private void replace(Map<ObjectName, T> objects) {
    Set<ObjectName> gone = cache.names();
    gone.removeAll(objects.keySet());
    gone.forEach(this::remove);
    objects.forEach(this::put);
    synced.countDown();
  }

  private void put(ObjectName name, T object) {
    order.lock();
    try {
      T before = cache.put(name, object);
      for (ObjectListener<T> listener : listeners) {
        if (before == null) {
          listener.added(name, object);
        } else {
          listener.updated(name, before, object);
        }
      }
    } finally {
      order.unlock();
    }
  }

  private void remove(ObjectName name) {
    order.lock();
    try {
      T last = cache.remove(name);
      if (last != null) {
        listeners.forEach(listener -> listener.deleted(name, last));
      }
    } finally {
      order.unlock();
    }
  }

  /** Keeps what the watch tells. */
  private final class Received implements WatchReceiver {

    /** The objects of a state that is not complete yet; null if it is. */
    private @Nullable Map<ObjectName, T> initial;

    @Override
    public void begin() {
      initial = new HashMap<>();
    }

    @Override
    public void resume() {
      initial = null;
    }

    @Override
    public void changed(ObjectName name, ApiObject object) {
      T kept = projection.of(object);
      Map<ObjectName, T> collected = initial;
      if (collected == null) {
        put(name, kept);
      } else {
        collected.put(name, kept);
      }
    }

    @Override
    public void deleted(ObjectName name) {
      Map<ObjectName, T> collected = initial;
      if (collected == null) {
        remove(name);
      } else {
        collected.remove(name);
      }
    }

    /** Replaces the cache at once, so that no reader sees half of the objects. */
    @Override
    public void complete() {
      Map<ObjectName, T> collected = initial;
      if (collected != null) {
        initial = null;
        replace(collected);
      }
    }
  }
}
