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
 * The states that changes of objects start from: what the watch cache has, so that a change is one
 * round trip to the store (source: kube-apiserver's guaranteed update with a cached suggestion).
 *
 * <p>The cache may be behind. A change that is stored names the revision that it was made from, so
 * the store refuses one that was made from an old state; every other answer from a state of the
 * cache, an error or that nothing changes, is confirmed first. Safe for use by several threads.
 */
public final class CurrentObjects {

  /** A power of two; two keys that share a slot cost a read of the store now and then. */
  private static final int SLOTS = 1024;

  /** What an object is changed from. */
  sealed interface Current {
    /** The state, or null if there is no such object. */
    @Nullable Entry entry();
  }

  /** What the store had after the request came. */
  record Stored(@Nullable Entry entry) implements Current {}

  /** What the cache had. */
  record Cached(Entry entry) implements Current {}

  private record Written(Bytes key, long revision) {}

  private final ObjectStore store;
  private final ObjectStates states;

  /** Changes of this server that the cache may not have yet. */
  private final AtomicReferenceArray<Written> written = new AtomicReferenceArray<>(SLOTS);

  public CurrentObjects(ObjectStore store, ObjectStates states) {
    this.store = store;
    this.states = states;
  }

  /** What to try first. A dry run stores nothing that could be refused, so it reads the store. */
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

  /** What the store has now. */
  Current read(Collection collection, String name) {
    return new Stored(store.get(collection.type(), collection.namespace(), name).entry());
  }

  /**
   * What to go on with after a state gave an answer that is not stored: {@code state} itself if the
   * answer holds, else the state that the store has.
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

  /** What to go on with after the store refused a change. */
  Current afterRefusal(WriteOutcome refusal) {
    return switch (refusal) {
      case WriteOutcome.Conflict conflict -> new Stored(conflict.current());
      case WriteOutcome.Missing _ -> new Stored(null);
      case WriteOutcome.Applied applied ->
          throw new IllegalStateException("the store refused nothing: " + applied);
    };
  }

  /** What to go on with after a change was stored. */
  Current afterWrite(Collection collection, String name, Bytes value, Entry before, long revision) {
    Bytes key = states.key(collection.type(), collection.namespace(), name);
    written.set(slot(key), new Written(key, revision));
    return new Stored(new Entry(key, value, before.createRevision(), revision));
  }
}
