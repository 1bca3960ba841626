package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
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
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The watch cache: the {@link Cacher}s of all types, fed by one ordered feed of the store. With one
 * feed for all types, each cache reaches every revision of the store, even those without changes of
 * its type; kube-apiserver needs progress notifications of etcd for that.
 *
 * <p>Safe for use by several threads. The lock guards the start and the end of the feed's thread.
 */
public final class WatchCache implements AutoCloseable {

  private static final Logger LOG = Logger.getLogger(WatchCache.class);
  private static final Duration POLL = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final RevisionedStore store;
  private final Bytes root;
  private final InstantSource clock;
  private final Retention retention;
  private final CacheMetrics metrics;
  private final Map<Bytes, Cacher> types = new ConcurrentHashMap<>();
  private final List<Observer> observers = new CopyOnWriteArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final FeedProgress progress;
  private boolean closed;
  private @Nullable Thread follower;
  private volatile @Nullable ChangeFeed feed;

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
    this.progress = new FeedProgress(store);
  }

  /** Returns the cache of the type with the key prefix {@code prefix}; loaded on the first read. */
  public Cacher type(Bytes prefix) {
    return types.computeIfAbsent(
        prefix,
        key ->
            new Cacher(
                KeyRange.prefix(root),
                KeyRange.prefix(key),
                store,
                progress,
                this::ensureRunning,
                clock,
                retention,
                metrics));
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

  /** Observes the feed, on its thread; must not block. */
  public interface Observer {

    /** Takes changes of all types in order. */
    void changed(List<Change> changes);

    /** Changes were lost: the observer must read the store again. */
    void lost();
  }

  /** Adds an observer, which receives every change after this call returns. */
  public void observe(Observer observer) {
    observers.add(observer);
    ensureRunning();
  }

  /** The revision up to which every change is in the caches. */
  public long reached() {
    return progress.reached();
  }

  /** The store's newest revision; concurrent callers share one request. */
  public long storeRevision() throws InterruptedException {
    return progress.storeRevision();
  }

  /**
   * Waits until every change up to {@code revision} is in the caches; false if that takes longer
   * than {@code patience}.
   */
  public boolean await(long revision, Duration patience) throws InterruptedException {
    return progress.await(revision, patience);
  }

  /** Drops the history up to {@code revision} in every cache. */
  public void compact(long revision) {
    types.values().forEach(type -> type.compact(revision));
  }

  /** Starts the feed unless it is running. */
  void ensureRunning() {
    lock.lock();
    try {
      if (follower == null && !closed) {
        progress.advance(store.revision());
        follower = Thread.ofPlatform().daemon().name("watch-cache").start(this::follow);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      if (follower != null) {
        follower.interrupt();
      }
    } finally {
      lock.unlock();
    }
    progress.close();
    ChangeFeed open = feed;
    if (open != null) {
      open.close();
    }
    // clients resume at another server, or at this one when it is back
    types.values().forEach(type -> type.reset(EventStream.End.CLOSED));
  }

  private void follow() {
    while (!Thread.currentThread().isInterrupted()) {
      try (ChangeFeed open = store.feed(KeyRange.prefix(root), progress.reached())) {
        feed = open;
        while (true) {
          ChangeFeed.Batch batch = open.next(POLL);
          if (batch != null) {
            apply(batch);
          }
        }
      } catch (StorageException.Compacted e) {
        LOG.warnf(
            "event=watch-cache-reset reached=%d reason=%s", progress.reached(), e.getMessage());
        restart();
      } catch (StorageException.RolledBack e) {
        LOG.errorf(
            "event=store-rolled-back reached=%d reason=%s; all caches are dropped",
            progress.reached(), e.getMessage());
        restart();
      } catch (StorageException.Closed e) {
        return;
      } catch (StorageException e) {
        LOG.warnf(
            "event=watch-cache-feed-failed reached=%d error=%s",
            progress.reached(), e.getMessage());
        pause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * The feed cannot be resumed: all caches are reset, and the feed begins at the store's revision,
   * which may be an older one.
   */
  private void restart() {
    // before the caches load: what they load must not be older than where the feed begins
    progress.restart(newest());
    types.values().forEach(type -> type.reset(EventStream.End.EXPIRED));
    observers.forEach(Observer::lost);
  }

  /** The store's revision, when it answers; the one reached if this thread is to end. */
  private long newest() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        return store.revision();
      } catch (StorageException.Closed e) {
        break;
      } catch (StorageException e) {
        LOG.warnf("event=watch-cache-waits error=%s", e.getMessage());
        pause();
      }
    }
    return progress.reached();
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void apply(ChangeFeed.Batch batch) {
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
    observers.forEach(observer -> observer.changed(batch.changes()));
    if (!batch.unreadable().isEmpty()) {
      lose(batch.unreadable());
    }
    progress.advance(batch.revision());
    awake.forEach(CacheWatcher::signal);
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
    observers.forEach(Observer::lost);
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
