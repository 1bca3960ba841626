package dev.keelson.client.informer;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.ApiTransport.EventStream;
import dev.keelson.client.rest.StatusErrors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.schema.codec.ObjectReader;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
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
 * A cache of the objects of a resource, kept up to date by a watch (client-go's shared informer and
 * Reflector). Has no thread: {@link #follow} is called again and again by one thread, the other
 * methods by any.
 *
 * @param <T> what is kept of an object
 */
public final class Informer<T> {

  /*
   * States: without a revision, the watch begins with all objects (KEP-3157): they are collected
   * aside and replace the cache when the server says that they are complete, so that a reader never
   * sees half of them. With a revision the watch goes on behind the last event that was applied. A
   * revision that the server no longer has (410) is forgotten. A server that cannot begin a watch
   * with all objects is asked for a list.
   */

  private static final String INITIAL_END = "k8s.io/initial-events-end";

  private final ApiClient client;
  private final Selection selection;
  private final Projection<T> projection;
  private final ObjectCache<T> cache;
  private final List<ObjectListener<T>> listeners = new CopyOnWriteArrayList<>();

  /** Changes of the cache and calls of listeners are one step. */
  private final ReentrantLock order = new ReentrantLock();

  private final CountDownLatch synced = new CountDownLatch(1);

  /** Where the watch goes on; empty before the first complete state. Confined to the follower. */
  private String revision = "";

  /** The objects of a state that is not complete yet; null if it is. Confined to the follower. */
  private @Nullable Map<ObjectName, T> initial;

  /** Whether the server can begin a watch with all objects. Confined to the follower. */
  private boolean streamsLists = true;

  /** An informer that has not begun. */
  public Informer(
      ApiClient client, Selection selection, Projection<T> projection, List<Index<T>> indexes) {
    this.client = client;
    this.selection = selection;
    this.projection = projection;
    this.cache = new ObjectCache<>(List.copyOf(indexes));
  }

  /** An informer of a type that has not begun. */
  public static <T> Informer<T> of(ApiClient client, InformerType<T> type) {
    return new Informer<>(client, type.selection(), type.projection(), type.indexes());
  }

  /** Adds a listener, which is told the objects that are there at once, on this thread. */
  public void listen(ObjectListener<T> listener) {
    order.lock();
    try {
      cache.copy().forEach(listener::added);
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
   * Follows the objects until the watch ends, as it does after some time; call it again.
   *
   * @throws IOException if the connection breaks
   * @throws ApiException if the server refuses the watch
   */
  public void follow() throws IOException, InterruptedException {
    if (revision.isEmpty() && !streamsLists) {
      relist();
    }
    try (EventStream events = open()) {
      for (byte[] event = events.next(); event != null; event = events.next()) {
        apply(event);
      }
    } catch (ApiException e) {
      if (e.reason() == Reason.EXPIRED || e.reason() == Reason.GONE) {
        revision = "";
      } else {
        throw e;
      }
    }
  }

  private EventStream open() throws InterruptedException {
    Map<String, String> options = new HashMap<>();
    options.put("allowWatchBookmarks", "true");
    if (!revision.isEmpty()) {
      initial = null;
      options.put("resourceVersion", revision);
      return client.watch(selection, options);
    }
    initial = new HashMap<>();
    options.put("sendInitialEvents", "true");
    options.put("resourceVersionMatch", "NotOlderThan");
    try {
      return client.watch(selection, options);
    } catch (ApiException e) {
      if (e.reason() == Reason.INVALID || e.reason() == Reason.BAD_REQUEST) {
        streamsLists = false;
      }
      throw e;
    }
  }

  private void relist() throws InterruptedException {
    ApiClient.Listed listed = client.listWithRevision(selection);
    Map<ObjectName, T> objects = new HashMap<>();
    for (ApiObject object : listed.objects()) {
      objects.put(ObjectName.of(object.meta()), projection.of(object));
    }
    replace(objects);
    revision = listed.resourceVersion();
  }

  private void apply(byte[] event) throws IOException {
    if (!(ObjectReader.untypedJson(event) instanceof MapNode tree)) {
      throw new IOException("an event is not a JSON object");
    }
    MapNode body = tree.map("object");
    switch (tree.text("type")) {
      case "ADDED", "MODIFIED" -> changed(new ApiObject(body));
      case "DELETED" -> deleted(new ApiObject(body).meta());
      case "BOOKMARK" -> passed(new ApiObject(body).meta());
      case "ERROR" -> throw StatusErrors.of(500, body);
      default -> throw new IOException("an event of type " + tree.text("type"));
    }
  }

  private void changed(ApiObject object) {
    ObjectMeta meta = object.meta();
    ObjectName name = ObjectName.of(meta);
    T kept = projection.of(object);
    Map<ObjectName, T> collected = initial;
    if (collected != null) {
      collected.put(name, kept);
      return;
    }
    put(name, kept);
    revision = meta.resourceVersion();
  }

  private void deleted(ObjectMeta meta) {
    ObjectName name = ObjectName.of(meta);
    Map<ObjectName, T> collected = initial;
    if (collected != null) {
      collected.remove(name);
      return;
    }
    remove(name);
    revision = meta.resourceVersion();
  }

  private void passed(ObjectMeta meta) {
    Map<ObjectName, T> collected = initial;
    if (collected == null) {
      revision = meta.resourceVersion();
    } else if (meta.annotations().containsKey(INITIAL_END)) {
      initial = null;
      replace(collected);
      revision = meta.resourceVersion();
    }
  }

  private void replace(Map<ObjectName, T> objects) {
    Set<ObjectName> gone = new HashSet<>(cache.copy().keySet());
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
}
