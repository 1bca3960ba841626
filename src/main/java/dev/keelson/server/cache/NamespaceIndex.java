package dev.keelson.server.cache;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;

/**
 * The objects of one type by namespace, as the watch cache has them, for readers on every write. It
 * has no thread: the next reader applies the pending changes. Without changes a read costs two
 * volatile reads and a look-up.
 *
 * @param <T> what is made of an object, once for each change
 */
public final class NamespaceIndex<T> implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(NamespaceIndex.class);

  /** How long a reader waits until the feed has a write of this server. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final StoredType type;
  private final ObjectCodec codec;
  private final Parser<T> parser;
  private final LongSupplier least;
  private final KeyRange keys;
  private final Reflector reflector;
  private final Reader reader = new Reader();

  /** What readers see; replaced as a whole for each namespace that changes. */
  private final Map<String, List<T>> lists = new ConcurrentHashMap<>();

  /** Guards the objects and the reflector; no other lock is taken under it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Map<String, NavigableMap<String, Versioned<T>>> objects = new HashMap<>();
  private volatile boolean dirty = true;
  private volatile boolean reading;
  private volatile long caughtUp;

  private record Versioned<T>(T item, long revision) {}

  /** Makes an item of an object. */
  @FunctionalInterface
  public interface Parser<T> {
    /** Makes the item of an object that was stored with a revision. */
    T parse(ApiObject object, long revision);
  }

  /**
   * Creates an index that is empty until the first read.
   *
   * @param least gives the revision that a read must include; 0 for any
   */
  public NamespaceIndex(
      StoredType type,
      WatchCache cache,
      KeyLayout layout,
      ObjectCodec codec,
      Parser<T> parser,
      LongSupplier least) {
    this.type = type;
    this.codec = codec;
    this.parser = parser;
    this.least = least;
    this.keys = layout.range(type, "");
    this.reflector = new Reflector(type, cache.type(keys.start()), keys, this::wake);
  }

  private void wake() {
    dirty = true;
  }

  /** Returns the items of a namespace in the order of their names. */
  public List<T> in(String namespace) {
    catchUp();
    return lists.getOrDefault(namespace, List.of());
  }

  /** Takes the result of a write before the feed shows it; ignores what the feed has overtaken. */
  public void learn(String namespace, String name, T item, long revision) {
    lock.lock();
    try {
      NavigableMap<String, Versioned<T>> known = objects.get(namespace);
      Versioned<T> before = known == null ? null : known.get(name);
      if (before != null && before.revision < revision) {
        put(namespace, name, new Versioned<>(item, revision));
      }
    } finally {
      lock.unlock();
    }
  }

  private void catchUp() {
    long written = least.getAsLong();
    // while one thread applies changes, the state may be incomplete: the others wait; any
    // difference counts, since the revisions of a store restored from a backup are older ones
    if (!dirty && !reading && written == caughtUp) {
      return;
    }
    lock.lock();
    try {
      written = least.getAsLong();
      if (dirty || written != caughtUp) {
        await(written);
        reading = true;
        dirty = false;
        reflector.read(reader);
        caughtUp = written;
      }
    } catch (RuntimeException e) {
      dirty = true;
      throw e;
    } finally {
      reading = false;
      lock.unlock();
    }
  }

  private void await(long written) {
    try {
      if (written != caughtUp && !reflector.await(written, PATIENCE)) {
        throw new ApiException(
            Reason.SERVER_TIMEOUT,
            "the watch cache has not caught up with the last write",
            ErrorDetails.NONE.withRetryAfterSeconds(1),
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request was interrupted", ErrorDetails.NONE, e);
    }
  }

  private void put(String namespace, String name, Versioned<T> object) {
    Versioned<T> unused =
        objects.computeIfAbsent(namespace, any -> new TreeMap<>()).put(name, object);
    publish(namespace);
  }

  private void publish(String namespace) {
    NavigableMap<String, Versioned<T>> known = objects.get(namespace);
    if (known == null || known.isEmpty()) {
      objects.remove(namespace);
      lists.remove(namespace);
    } else {
      lists.put(namespace, known.values().stream().map(Versioned::item).toList());
    }
  }

  private final class Reader implements Reflector.Reader {

    @Override
    public void clear() {
      objects.clear();
      lists.clear();
    }

    @Override
    public void put(Entry entry) {
      Address address = address(entry.key());
      NavigableMap<String, Versioned<T>> known = objects.get(address.namespace);
      Versioned<T> before = known == null ? null : known.get(address.name);
      if (before != null && before.revision > entry.modRevision()) {
        return;
      }
      try {
        T item = parser.parse(codec.decode(type, entry.value()), entry.modRevision());
        NamespaceIndex.this.put(
            address.namespace, address.name, new Versioned<>(item, entry.modRevision()));
      } catch (ApiException damaged) {
        // a damaged object is treated as absent; reading it reports the error
        LOG.warnf("event=object-unreadable key=%s error=%s", entry.key(), damaged.text());
        remove(entry);
      }
    }

    @Override
    public void remove(Entry last) {
      Address address = address(last.key());
      NavigableMap<String, Versioned<T>> known = objects.get(address.namespace);
      if (known != null) {
        known.remove(address.name);
        publish(address.namespace);
      }
    }
  }

  private record Address(String namespace, String name) {}

  private Address address(Bytes key) {
    String rest = key.utf8().substring(keys.start().utf8().length());
    int slash = rest.indexOf('/');
    return new Address(slash < 0 ? "" : rest.substring(0, slash), rest.substring(slash + 1));
  }

  @Override
  public void close() {
    reflector.close();
  }
}
