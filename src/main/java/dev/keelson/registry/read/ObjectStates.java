package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.registry.ReadVersion;
import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.Cacher;
import dev.keelson.watch.IndexValue;
import dev.keelson.watch.Snapshot;
import dev.keelson.watch.WatchCache;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Provides the state for a read: from the cache if possible, else from the store. Both have the
 * same content; the cache needs no round trip.
 */
public final class ObjectStates {

  /** How long a read waits for a revision that is not there yet; kube-apiserver waits as long. */
  private static final Duration FUTURE_WAIT = Duration.ofSeconds(3);

  private final RevisionedStore store;
  private final KeyLayout layout;
  private final WatchCache cache;
  private final Predicate<StoredType> cached;
  private final ListMetrics metrics;

  /**
   * States of types.
   *
   * @param cached whether a type is kept in memory
   */
  public ObjectStates(
      RevisionedStore store, KeyLayout layout, WatchCache cache, Predicate<StoredType> cached) {
    this(store, layout, cache, cached, ListMetrics.NONE);
  }

  /** States of types whose lists are measured. */
  public ObjectStates(
      RevisionedStore store,
      KeyLayout layout,
      WatchCache cache,
      Predicate<StoredType> cached,
      ListMetrics metrics) {
    this.metrics = metrics;
    this.store = store;
    this.layout = layout;
    this.cache = cache;
    this.cached = cached;
  }

  /** The cache of a type, or empty if it has none. */
  public Optional<Cacher> cache(StoredType type) {
    return cached.test(type)
        ? Optional.of(cache.type(layout.range(type, "").start()))
        : Optional.empty();
  }

  /** Records the lists of these states. */
  ListMetrics metrics() {
    return metrics;
  }

  /** The keys of a type's objects in a namespace, or everywhere. */
  KeyRange range(StoredType type, String namespace) {
    return layout.range(type, namespace);
  }

  /** The key of an object. */
  public Bytes key(StoredType type, String namespace, String name) {
    return layout.key(type, namespace, name);
  }

  /** One object in the state that {@code version} asks for, or null. */
  @Nullable Entry get(StoredType type, Bytes key, ReadVersion version) {
    try {
      Optional<Cacher> known = cache(type);
      Optional<Snapshot> snapshot =
          known.isPresent() ? cached(known.get(), version) : Optional.empty();
      if (snapshot.isPresent()) {
        return snapshot.get().get(key);
      }
      long at =
          switch (version) {
            case ReadVersion.Newest _, ReadVersion.Any _ -> RevisionedStore.NEWEST;
            case ReadVersion.NotOlderThan least -> awaitInStore(key, least.revision());
            case ReadVersion.Exactly exact -> exact.revision();
          };
      return store.get(key, at).entry();
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  /** The cached state of one object, which may be stale; empty if the cache is not ready. */
  Optional<Snapshot> atHand(StoredType type) {
    return cache(type).filter(Cacher::ready).map(Cacher::any);
  }

  /**
   * The state for {@code version}.
   *
   * @throws StorageException.Compacted if its revision is no longer kept
   * @throws ApiException of reason Timeout if its revision does not come in time
   */
  ObjectState state(StoredType type, ReadVersion version) {
    try {
      Optional<Cacher> known = cache(type);
      Optional<Snapshot> snapshot =
          known.isPresent() ? cached(known.get(), version) : Optional.empty();
      return known.isPresent() && snapshot.isPresent()
          ? new CachedState(known.get(), snapshot.get())
          : stored(range(type, "").start(), version);
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private static ApiException interrupted(InterruptedException e) {
    Thread.currentThread().interrupt();
    return new ApiException(Reason.TIMEOUT, "the request was interrupted", ErrorDetails.NONE, e);
  }

  private static Optional<Snapshot> cached(Cacher type, ReadVersion version)
      throws InterruptedException {
    try {
      return switch (version) {
        case ReadVersion.Newest _ -> type.fresh();
        case ReadVersion.Any _ -> Optional.of(type.any());
        case ReadVersion.NotOlderThan least ->
            type.atLeast(least.revision(), Cacher.FRESHNESS_WAIT);
        case ReadVersion.Exactly exact -> type.exactly(exact.revision());
      };
    } catch (StorageException.Transformation _) {
      // one unreadable object keeps the type out of memory; the store still has the others, and
      // reports the error for a read that includes the object
      return Optional.empty();
    }
  }

  private ObjectState stored(Bytes key, ReadVersion version) throws InterruptedException {
    return switch (version) {
      case ReadVersion.Newest _, ReadVersion.Any _ ->
          new StoredState(store, store.part(key).revision());
      case ReadVersion.NotOlderThan least ->
          new StoredState(store, awaitInStore(key, least.revision()));
      case ReadVersion.Exactly exact -> {
        long unused = awaitInStore(key, exact.revision());
        yield new StoredState(store, exact.revision());
      }
    };
  }

  /** The revision of the store that holds {@code key}, once it is at least {@code revision}. */
  private long awaitInStore(Bytes key, long revision) throws InterruptedException {
    RevisionedStore part = store.part(key);
    long deadline = System.nanoTime() + FUTURE_WAIT.toNanos();
    long current = part.revision();
    while (current < revision) {
      if (System.nanoTime() >= deadline) {
        throw tooLarge(revision, current);
      }
      // the cache follows the store, so it is notified first; without a cache, poll the store
      boolean reached = cache.await(key, revision, Duration.ofMillis(100));
      current = reached ? Math.max(revision, part.revision()) : part.revision();
    }
    return current;
  }

  /** The error for a revision that does not exist yet, in the form that client-go tests for. */
  public static ApiException tooLarge(long revision, long current) {
    return new ApiException(
        Reason.TIMEOUT,
        "Timeout: Too large resource version: " + revision + ", current: " + current,
        ErrorDetails.NONE
            .withCauses(
                List.of(
                    new FieldCause("ResourceVersionTooLarge", "Too large resource version", "")))
            .withRetryAfterSeconds(1),
        null);
  }

  private record CachedState(Cacher type, Snapshot snapshot) implements ObjectState {
    @Override
    public long revision() {
      return snapshot.revision();
    }

    @Override
    public Iterator<Entry> iterator(KeyRange range) {
      return snapshot.iterator(range);
    }

    @Override
    public Iterator<Entry> iterator(@Nullable IndexValue indexValue, KeyRange range) {
      if (indexValue == null) {
        return snapshot.iterator(range);
      }
      type.countLookup(indexValue.index());
      return snapshot.iterator(indexValue, range).orElseGet(() -> snapshot.iterator(range));
    }

    @Override
    public ListMetrics.Source source(@Nullable IndexValue indexValue) {
      if (indexValue == null || !snapshot.has(indexValue.index())) {
        return ListMetrics.Source.CACHE;
      }
      return indexValue.index().isOfLabel()
          ? ListMetrics.Source.LABEL_INDEX
          : ListMetrics.Source.FIELD_INDEX;
    }

    @Override
    public boolean inMemory() {
      return true;
    }

    @Override
    public long count(KeyRange range) {
      return snapshot.count(range);
    }
  }
}
