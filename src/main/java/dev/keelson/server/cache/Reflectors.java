package dev.keelson.server.cache;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.object.ObjectSink;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.StoredType;
import dev.keelson.server.store.WriteTrackingStore;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import dev.keelson.work.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * Reflectors of a few types from which a part of this process derives a state. They have no thread:
 * the next reader of the state applies the pending changes. Without changes that costs two volatile
 * reads.
 */
public final class Reflectors<K extends Enum<K>> implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Reflectors.class);

  /** How long a reader waits until the feed has a write of this server. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final KeyLayout layout;
  private final WriteTrackingStore marks;
  private final ObjectCodec codec;
  private final Map<K, Reflector> types = new LinkedHashMap<>();

  /** How far the types of each part of the store are known; nearly always one. */
  private final List<Part> parts = new ArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean dirty = true;
  private volatile boolean reading;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  public Reflectors(
      Map<K, StoredType> stored,
      WatchCache cache,
      KeyLayout layout,
      WriteTrackingStore marks,
      ObjectCodec codec) {
    this.layout = layout;
    this.marks = marks;
    this.codec = codec;
    Set<RevisionedStore> stores = new HashSet<>();
    stored.forEach(
        (kind, type) -> {
          KeyRange keys = layout.range(type, "");
          Reflector reflector = new Reflector(type, cache.type(keys.start()), keys, this::wake);
          types.put(kind, reflector);
          if (stores.add(marks.part(keys.start()))) {
            parts.add(new Part(keys.start(), reflector));
          }
        });
  }

  /** The writes of this process to one part of the store. */
  private final class Part {

    private final Bytes key;
    private final Reflector any;
    private volatile long caughtUp;

    /**
     * @param key one that the part holds
     * @param any the reflector of a type that it holds
     */
    Part(Bytes key, Reflector any) {
      this.key = key;
      this.any = any;
    }

    long written() {
      return marks.lastWrite(key);
    }
  }

  /**
   * Adds a listener that runs on any thread after changes; it must not block.
   *
   * @return removes the listener
   */
  public Runnable listen(Runnable changed) {
    Runnable own = changed;
    listeners.add(own);
    return () -> listeners.remove(own);
  }

  private void wake() {
    dirty = true;
    listeners.forEach(Runnable::run);
  }

  /**
   * Passes the changes since the last call to {@code sink}, all objects on the first call. Includes
   * every write that this process answered before the call.
   */
  public void catchUp(ObjectSink<K> sink) {
    // while one thread applies changes, the state may be incomplete: the others wait
    if (!behind() && !dirty && !reading) {
      return;
    }
    lock.lock();
    try {
      if (behind() || dirty) {
        long[] written = parts.stream().mapToLong(Part::written).toArray();
        for (int i = 0; i < written.length; i++) {
          await(parts.get(i).any, written[i]);
        }
        reading = true;
        dirty = false;
        Turn.whole(() -> read(sink));
        for (int i = 0; i < written.length; i++) {
          parts.get(i).caughtUp = written[i];
        }
      }
    } catch (RuntimeException e) {
      dirty = true;
      throw e;
    } finally {
      reading = false;
      lock.unlock();
    }
  }

  /**
   * Whether this process has written what is not known yet. Any difference counts: the revisions of
   * a store that was restored from a backup are older ones.
   */
  private boolean behind() {
    boolean behind = false;
    for (Part part : parts) {
      behind |= part.written() != part.caughtUp;
    }
    return behind;
  }

  /** Makes the next {@link #catchUp} read changes even without a wake-up. */
  void refresh() {
    dirty = true;
  }

  /**
   * For types in one part of the store: a revision that a {@link #catchUp} after a {@link #refresh}
   * includes.
   */
  long reached() {
    return types.values().iterator().next().reached();
  }

  /** For types in one part of the store: the revision of the last change. */
  long changed() {
    long newest = 0;
    for (Reflector type : types.values()) {
      newest = Math.max(newest, type.changed());
    }
    return newest;
  }

  /**
   * For types in one part of the store: waits until the next {@link #catchUp} includes {@code
   * revision}; false on timeout.
   */
  boolean await(long revision, Duration patience) throws InterruptedException {
    return types.values().iterator().next().await(revision, patience);
  }

  /**
   * For types in one part of the store: waits until the next {@link #catchUp} includes every write
   * answered before this call.
   */
  boolean awaitNewest() throws InterruptedException {
    return types.values().iterator().next().awaitNewest();
  }

  private static void await(Reflector any, long written) {
    try {
      if (!any.await(written, PATIENCE)) {
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

  private void read(ObjectSink<K> sink) {
    types.forEach((kind, followed) -> followed.read(new Decoding(kind, followed.type(), sink)));
  }

  private KeyRange keys(StoredType type) {
    return layout.range(type, "");
  }

  private final class Decoding implements Reflector.Reader {
    private final K kind;
    private final StoredType type;
    private final ObjectSink<K> sink;

    Decoding(K kind, StoredType type, ObjectSink<K> sink) {
      this.kind = kind;
      this.type = type;
      this.sink = sink;
    }

    @Override
    public void clear() {
      sink.clear(kind);
    }

    @Override
    public void put(Entry entry) {
      try {
        sink.put(kind, codec.decode(type, entry.value()));
      } catch (ApiException damaged) {
        // a damaged object is treated as absent
        LOG.warnf("event=object-unreadable key=%s error=%s", entry.key(), damaged.text());
        forget(entry);
      }
    }

    @Override
    public void remove(Entry last) {
      forget(last);
    }

    private void forget(Entry entry) {
      String rest = entry.key().utf8().substring(keys(type).start().utf8().length());
      int slash = rest.indexOf('/');
      sink.remove(kind, slash < 0 ? "" : rest.substring(0, slash), rest.substring(slash + 1));
    }
  }

  @Override
  public void close() {
    types.values().forEach(Reflector::close);
  }
}
