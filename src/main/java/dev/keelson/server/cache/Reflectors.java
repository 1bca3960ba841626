package dev.keelson.server.cache;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.object.ObjectSink;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.schema.StoredType;
import dev.keelson.server.store.WriteTrackingStore;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/**
 * Objects of a few types as something in this process derives a state from them. Nobody follows
 * them on a thread of their own: whoever needs the state next takes what has come. While nothing
 * has, that costs two reads of memory.
 */
public final class Reflectors<K extends Enum<K>> implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(Reflectors.class);

  /** How long a decision waits for a write of this server to come back by the feed. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final KeyLayout layout;
  private final WriteTrackingStore marks;
  private final ObjectCodec codec;
  private final Map<K, Reflector> types = new LinkedHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean dirty = true;
  private volatile boolean reading;
  private volatile long caughtUp;
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
    stored.forEach(
        (kind, type) ->
            types.put(
                kind,
                new Reflector(
                    type,
                    cache.type(layout.range(type, "").start()),
                    layout.range(type, ""),
                    this::wake)));
  }

  /**
   * Has {@code changed} run, on any thread, whenever there may be something new; it must not block.
   *
   * @return ends that
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
   * Tells {@code sink} what has changed since the last call, everything in the first; returns when
   * every write that this process has answered before the call has been told.
   */
  public void catchUp(ObjectSink<K> sink) {
    long written = marks.lastWrite();
    // while one thread reads, the state may be half rebuilt: the others wait for it
    if (!dirty && !reading && written <= caughtUp) {
      return;
    }
    lock.lock();
    try {
      if (dirty || written > caughtUp) {
        await(written);
        reading = true;
        dirty = false;
        read(sink);
        caughtUp = Math.max(caughtUp, written);
      }
    } catch (RuntimeException e) {
      dirty = true;
      throw e;
    } finally {
      reading = false;
      lock.unlock();
    }
  }

  /** Has the next {@link #catchUp} look for changes even if no wake-up has come yet. */
  void refresh() {
    dirty = true;
  }

  /** A revision up to which a {@link #catchUp} after a {@link #refresh} tells everything. */
  long reached() {
    return types.values().iterator().next().reached();
  }

  /** The revision of the last change that has been told. */
  long changed() {
    long newest = 0;
    for (Reflector type : types.values()) {
      newest = Math.max(newest, type.changed());
    }
    return newest;
  }

  /** Waits until the next {@link #catchUp} tells {@code revision}; false if that takes too long. */
  boolean await(long revision, Duration patience) throws InterruptedException {
    return types.values().iterator().next().await(revision, patience);
  }

  /** Waits until the next {@link #catchUp} tells every write that was answered before this call. */
  boolean awaitNewest() throws InterruptedException {
    return types.values().iterator().next().awaitNewest();
  }

  private void await(long written) {
    try {
      Reflector any = types.values().iterator().next();
      if (!any.await(written, PATIENCE)) {
        throw new ApiException(
            Reason.SERVER_TIMEOUT,
            "what was written last cannot be read yet",
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
        // it counts for nothing; the others must still count
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
