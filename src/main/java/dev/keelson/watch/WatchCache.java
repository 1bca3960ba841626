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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Feeds the caches of all types from one ordered stream of the store's changes, and knows how far
 * that stream has come. One stream for everything means that whatever the store's newest revision
 * is, the caches will tell when they have reached it, also for types that do not change.
 *
 * <p>Safe for use by several threads.
 */
public final class WatchCache implements AutoCloseable {

  /** How long a consistent read waits for the stream before it asks the store instead. */
  public static final Duration FRESHNESS_WAIT = Duration.ofMillis(500);

  private static final Logger LOG = Logger.getLogger(WatchCache.class);
  private static final Duration POLL = Duration.ofSeconds(10);
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final RevisionedStore store;
  private final Bytes root;
  private final InstantSource clock;
  private final TypeCache.Retention retention;
  private final Map<Bytes, TypeCache> types = new ConcurrentHashMap<>();
  private final List<Observer> observers = new CopyOnWriteArrayList<>();

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition advanced = lock.newCondition();
  private final RevisionCheck check;
  private volatile long reached;
  private boolean closed;
  private @Nullable Thread follower;
  private volatile @Nullable ChangeFeed feed;

  /**
   * Not yet following.
   *
   * @param root what the keys of every type begin with
   */
  public WatchCache(
      RevisionedStore store, Bytes root, InstantSource clock, TypeCache.Retention retention) {
    this.store = store;
    this.root = root;
    this.clock = clock;
    this.retention = retention;
    this.check = new RevisionCheck(store);
  }

  /** The cache of the type whose keys begin with {@code prefix}; loaded when it is first read. */
  public TypeCache type(Bytes prefix) {
    return types.computeIfAbsent(
        prefix, key -> new TypeCache(KeyRange.prefix(key), store, this, clock, retention));
  }

  /** Sees the stream that feeds the caches; called by its thread, which it must not block. */
  public interface Observer {

    /** Some changes in order, of any type. */
    void changed(List<Change> changes);

    /** Changes were lost: the store has to be read anew. */
    void lost();
  }

  /** Shows {@code observer} every change from some moment before this returns. */
  public void observe(Observer observer) {
    observers.add(observer);
    ensureRunning();
  }

  /** Every change up to here is in the caches. */
  public long reached() {
    return reached;
  }

  /** The store's newest revision; callers at the same time share one look. */
  public long storeRevision() throws InterruptedException {
    return check.next();
  }

  /**
   * Waits until every change up to {@code revision} is in the caches; false if that takes longer
   * than {@code patience}.
   */
  public boolean await(long revision, Duration patience) throws InterruptedException {
    if (reached >= revision) {
      return true;
    }
    long left = patience.toNanos();
    lock.lock();
    try {
      while (reached < revision) {
        if (left <= 0 || closed) {
          return false;
        }
        left = advanced.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets the history before {@code revision} in every cache. */
  public void compact(long revision) {
    types.values().forEach(type -> type.compact(revision));
  }

  /** Begins to follow the store if it is not followed yet. */
  void ensureRunning() {
    lock.lock();
    try {
      if (follower == null && !closed) {
        reached = store.revision();
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
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
    ChangeFeed open = feed;
    if (open != null) {
      open.close();
    }
    types.values().forEach(TypeCache::reset);
  }

  private void follow() {
    while (!Thread.currentThread().isInterrupted()) {
      try (ChangeFeed open = store.feed(KeyRange.prefix(root), reached)) {
        feed = open;
        while (true) {
          ChangeFeed.Batch batch = open.next(POLL);
          if (batch != null) {
            apply(batch);
          }
        }
      } catch (StorageException.Compacted e) {
        LOG.warnf("event=watch-cache-reset reached=%d why=%s", reached, e.getMessage());
        restart();
      } catch (StorageException.Closed e) {
        return;
      } catch (StorageException e) {
        LOG.warnf("event=watch-cache-feed-failed reached=%d error=%s", reached, e.getMessage());
        pause();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The stream cannot go on where it was: everything is read anew. */
  private void restart() {
    types.values().forEach(TypeCache::reset);
    observers.forEach(Observer::lost);
    try {
      publish(store.revision());
    } catch (StorageException.Unavailable e) {
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void apply(ChangeFeed.Batch batch) {
    Set<Subscription> awake = new LinkedHashSet<>();
    if (batch.changes().size() == 1) {
      Change only = batch.changes().getFirst();
      TypeCache type = typeOf(only.key());
      if (type != null) {
        type.apply(batch.changes(), awake);
      }
    } else {
      Map<TypeCache, List<Change>> byType = new LinkedHashMap<>();
      for (Change change : batch.changes()) {
        TypeCache type = typeOf(change.key());
        if (type != null) {
          byType.computeIfAbsent(type, key -> new ArrayList<>()).add(change);
        }
      }
      byType.forEach((type, changes) -> type.apply(changes, awake));
    }
    observers.forEach(observer -> observer.changed(batch.changes()));
    publish(batch.revision());
    awake.forEach(Subscription::signal);
  }

  private void publish(long revision) {
    lock.lock();
    try {
      reached = Math.max(reached, revision);
      advanced.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The cache that {@code key} belongs to: types have one segment after the root, or two. */
  private @Nullable TypeCache typeOf(Bytes key) {
    byte[] bytes = key.array();
    int slash = indexOf(bytes, root.length());
    while (slash >= 0) {
      TypeCache type = types.get(Bytes.wrap(java.util.Arrays.copyOf(bytes, slash + 1)));
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
