package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The watch cache: the {@link Cacher}s of all types, fed by one ordered feed of the store. With one
 * feed for all types, each cache reaches every revision of the store, even those without changes of
 * its type; kube-apiserver needs progress notifications of etcd for that. Of several stores ({@link
 * RevisionedStore#parts}) each has a feed, and a type has the revisions of the one that holds it.
 *
 * <p>Safe for use by several threads.
 */
public final class WatchCache implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(WatchCache.class);
  private final RevisionedStore store;
  private final Bytes root;
  private final InstantSource clock;
  private final Retention retention;
  private final CacheMetrics metrics;
  private final Map<Bytes, Cacher> types = new ConcurrentHashMap<>();
  private final List<Observer> observers = new CopyOnWriteArrayList<>();

  /** The feed of each part of the store. */
  private final Map<RevisionedStore, StoreFollower> followers = new LinkedHashMap<>();

  /** Guards the calls of observers, which feeds of several parts make. */
  private final ReentrantLock observing = new ReentrantLock();

  /**
   * Creates a cache without starting the feed.
   *
   * @param root the common prefix of the keys of all types
   */
  public WatchCache(RevisionedStore store, Bytes root, InstantSource clock, Retention retention) {
    this(store, root, clock, retention, CacheMetrics.NONE);
  }

  /** Creates a cache whose types are measured. */
  public WatchCache(
      RevisionedStore store,
      Bytes root,
      InstantSource clock,
      Retention retention,
      CacheMetrics metrics) {
    this.metrics = metrics;
    this.store = store;
    this.root = root;
    this.clock = clock;
    this.retention = retention;
    for (RevisionedStore part : store.parts()) {
      followers.put(part, new StoreFollower(part, root, new Caches(part)));
    }
  }

  /** Returns the cache of the type with the key prefix {@code prefix}; loaded on the first read. */
  public Cacher type(Bytes prefix) {
    return types.computeIfAbsent(prefix, this::made);
  }

  private Cacher made(Bytes prefix) {
    StoreFollower follower = follower(prefix);
    return new Cacher(
        KeyRange.prefix(root),
        KeyRange.prefix(prefix),
        store.part(prefix),
        follower.progress(),
        follower::ensureRunning,
        clock,
        retention,
        metrics);
  }

  private StoreFollower follower(Bytes key) {
    return follower(store.part(key));
  }

  private StoreFollower follower(RevisionedStore part) {
    StoreFollower follower = followers.get(part);
    if (follower == null) {
      throw new IllegalArgumentException("no part of the store of this cache: " + part);
    }
    return follower;
  }

  /**
   * Drops the cache of a type that is no longer served. Its watchers get no further events; those
   * that they have not polled yet are kept. The next {@link #type} with this prefix begins with
   * another cache.
   */
  public void forget(Bytes prefix) {
    Cacher dropped = types.remove(prefix);
    if (dropped != null) {
      dropped.retire();
    }
  }

  /** The number of types that have been read. */
  int size() {
    return types.size();
  }

  /** Observes the feeds, by one thread at a time; must not block. */
  public interface Observer {

    /** Takes changes of all types, those of one part of the store in order. */
    void changed(List<Change> changes);

    /** Changes are lost, which caches and watches learn after this call. */
    default void losing() {}

    /** Changes were lost: the observer must read the store again. */
    void lost();
  }

  /** Adds an observer, which receives every change after this call returns. */
  public void observe(Observer observer) {
    observers.add(observer);
    followers.values().forEach(StoreFollower::ensureRunning);
  }

  /** The revision up to which every change of the type of {@code key} is in its cache. */
  public long reached(Bytes key) {
    return follower(key).progress().reached();
  }

  /**
   * Waits until every change up to {@code revision} is in the caches of the part of the store that
   * holds {@code key}; false if that takes longer than {@code patience}.
   */
  public boolean await(Bytes key, long revision, Duration patience) throws InterruptedException {
    return follower(key).progress().await(revision, patience);
  }

  /** Drops the history up to {@code revision} in every cache of types of {@code part}. */
  public void compact(RevisionedStore part, long revision) {
    of(part).forEach(type -> type.compact(revision));
  }

  /** The caches of the types that a part of the store holds. */
  private Stream<Cacher> of(RevisionedStore part) {
    FeedProgress progress = follower(part).progress();
    return types.values().stream().filter(type -> type.follows(progress));
  }

  @Override
  public void close() {
    followers.values().forEach(StoreFollower::close);
    // clients resume at another server, or at this one when it is back
    types.values().forEach(type -> type.reset(EventStream.End.CLOSED));
  }

  /** Applies the feed of one part. */
  private final class Caches implements StoreFollower.Sink {

    private final RevisionedStore part;

    Caches(RevisionedStore part) {
      this.part = part;
    }

    @Override
    public Set<CacheWatcher> apply(ChangeFeed.Batch batch) {
      return WatchCache.this.apply(batch);
    }

    @Override
    public void reset() {
      observed(Observer::losing);
      of(part).forEach(type -> type.reset(EventStream.End.EXPIRED));
      observed(Observer::lost);
    }
  }

  private void observed(Consumer<Observer> call) {
    observing.lock();
    try {
      observers.forEach(call);
    } finally {
      observing.unlock();
    }
  }

  private Set<CacheWatcher> apply(ChangeFeed.Batch batch) {
    Set<CacheWatcher> awake = new LinkedHashSet<>();
    if (batch.changes().size() == 1) {
      Change only = batch.changes().getFirst();
      Cacher type = typeOf(only.key());
      if (type != null) {
        type.apply(batch.changes(), awake);
      }
    } else {
      Map<Cacher, List<Change>> byType = new LinkedHashMap<>();
      for (Change change : batch.changes()) {
        Cacher type = typeOf(change.key());
        if (type != null) {
          byType.computeIfAbsent(type, key -> new ArrayList<>()).add(change);
        }
      }
      byType.forEach((type, changes) -> type.apply(changes, awake));
    }
    observed(observer -> observer.changed(batch.changes()));
    if (!batch.unreadable().isEmpty()) {
      lose(batch.unreadable());
    }
    return awake;
  }

  /**
   * Resets the caches of keys whose change cannot be decrypted: they cannot continue without it.
   * Reads then go to the store, which reports the error for the key alone.
   */
  private void lose(List<Bytes> unreadable) {
    LOG.warnf("event=watch-cache-changes-unreadable keys=%s", unreadable);
    for (Bytes key : unreadable) {
      Cacher type = typeOf(key);
      if (type != null) {
        type.reset(EventStream.End.EXPIRED);
      }
    }
    observed(Observer::lost);
  }

  /** Returns the cache of {@code key}: type prefixes have one or two segments after the root. */
  private @Nullable Cacher typeOf(Bytes key) {
    byte[] bytes = key.array();
    int slash = indexOf(bytes, root.length());
    while (slash >= 0) {
      Cacher type = types.get(Bytes.wrap(java.util.Arrays.copyOf(bytes, slash + 1)));
      if (type != null) {
        return type;
      }
      slash = indexOf(bytes, slash + 1);
    }
    return null;
  }

  private static int indexOf(byte[] bytes, int from) {
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == '/') {
        return i;
      }
    }
    return -1;
  }
}
