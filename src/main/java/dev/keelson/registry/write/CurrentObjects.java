package dev.keelson.registry.write;

import dev.keelson.registry.Collection;
import dev.keelson.registry.WriteOptions;
import dev.keelson.registry.read.ObjectStates;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.ObjectStore;
import dev.keelson.watch.Cacher;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The current objects for updates and deletes: read from the watch cache, so that a change is one
 * round trip to the store (source: kube-apiserver's guaranteed update with a cached suggestion).
 *
 * <p>The cache may be stale. A write is conditional on the revision of the current object, so the
 * store rejects one that is based on a stale state; any other result from a cached state, an error
 * or a no-op, is confirmed against the store first. Safe for use by several threads.
 */
public final class CurrentObjects {

  /** A power of two; keys that share a slot cost an occasional read of the store. */
  private static final int SLOTS = 1024;

  /** The state that an update is based on. */
  sealed interface Current {
    /** The entry, or null if the object does not exist. */
    @Nullable Entry entry();
  }

  /** Read from the store after the request arrived. */
  record Stored(@Nullable Entry entry) implements Current {}

  /** Read from the cache, possibly stale. */
  record Cached(Entry entry) implements Current {}

  private record Written(Bytes key, long revision) {}

  private final ObjectStore store;
  private final ObjectStates states;

  /** Writes of this server that the cache may not contain yet. */
  private final AtomicReferenceArray<Written> written = new AtomicReferenceArray<>(SLOTS);

  public CurrentObjects(ObjectStore store, ObjectStates states) {
    this.store = store;
    this.states = states;
  }

  /** The state for the first attempt. A dry run has no conditional write, so it reads the store. */
  Current initial(Collection collection, String name, WriteOptions options) {
    if (!options.dryRun()) {
      Optional<Cacher> cache = states.cache(collection.type());
      if (cache.isPresent()) {
        Bytes key = states.key(collection.type(), collection.namespace(), name);
        Entry entry = cached(cache.get(), key);
        if (entry != null) {
          return new Cached(entry);
        }
      }
    }
    return read(collection, name);
  }

  private @Nullable Entry cached(Cacher cache, Bytes key) {
    if (!cache.ready()) {
      cache.prepare();
      return null;
    }
    Entry entry = cache.any().get(key);
    if (entry == null) {
      return null;
    }
    Written last = written.get(slot(key));
    return last != null && last.revision > entry.modRevision() && last.key.equals(key)
        ? null
        : entry;
  }

  private static int slot(Bytes key) {
    int hash = key.hashCode();
    return (hash ^ hash >>> 16) & SLOTS - 1;
  }

  /** Reads the store. */
  Current read(Collection collection, String name) {
    return new Stored(store.get(collection.type(), collection.namespace(), name).entry());
  }

  /**
   * Confirms a result that is not written to the store: returns {@code state} itself if the store
   * still has it, else the state of the store.
   */
  Current confirm(Collection collection, String name, Current state) {
    if (state instanceof Stored) {
      return state;
    }
    Current now = read(collection, name);
    Entry old = state.entry();
    Entry entry = now.entry();
    return old != null && entry != null && old.modRevision() == entry.modRevision() ? state : now;
  }

  /** The state for the next attempt after the store rejected a write. */
  Current afterRefusal(WriteOutcome refusal) {
    return switch (refusal) {
      case WriteOutcome.Conflict conflict -> new Stored(conflict.current());
      case WriteOutcome.Missing _ -> new Stored(null);
      case WriteOutcome.Applied _, WriteOutcome.Guarded _ ->
          throw new IllegalStateException("the object is as it was: " + refusal);
    };
  }

  /** The state after a successful write. */
  Current afterWrite(Collection collection, String name, Bytes value, Entry before, long revision) {
    Bytes key = states.key(collection.type(), collection.namespace(), name);
    written.set(slot(key), new Written(key, revision));
    return new Stored(new Entry(key, value, before.createRevision(), revision));
  }
}
