package dev.keelson.server.store;

import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.ForwardingStore;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import dev.keelson.storage.object.KeyLayout;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A store that remembers the revision of its last write to some keys, so that who derives something
 * from them can tell whether it has caught up with what was answered here.
 */
public final class WriteTrackingStore extends ForwardingStore {

  private final Predicate<Write> marked;
  private final AtomicLong last = new AtomicLong();

  /** Whether a write may have been done whose revision is not known. */
  private final AtomicBoolean unsure = new AtomicBoolean();

  private WriteTrackingStore(RevisionedStore store, Predicate<Write> marked) {
    super(store);
    this.marked = marked;
  }

  /** A store that marks writes of objects of {@code types}. */
  public static WriteTrackingStore of(
      RevisionedStore store, KeyLayout layout, Collection<StoredType> types) {
    List<Bytes> prefixes = prefixes(layout, types);
    return new WriteTrackingStore(store, write -> isUnder(prefixes, write.key()));
  }

  /**
   * A store that marks what may end an identity.
   *
   * @param held types whose objects must be there
   * @param read types whose objects are looked into as well
   */
  public static WriteTrackingStore ofEnds(
      RevisionedStore store,
      KeyLayout layout,
      Collection<StoredType> held,
      Collection<StoredType> read) {
    List<Bytes> deleted = prefixes(layout, held);
    List<Bytes> written = prefixes(layout, read);
    return new WriteTrackingStore(
        store,
        write ->
            isUnder(written, write.key())
                || (write instanceof Write.Delete && isUnder(deleted, write.key())));
  }

  private static List<Bytes> prefixes(KeyLayout layout, Collection<StoredType> types) {
    return types.stream().map(type -> layout.range(type, "").start()).toList();
  }

  /**
   * A revision that is not older than the last write to the keys that this store has seen; 0 if
   * there was none.
   *
   * @throws StorageException if a write may have been done and the store does not say how far it is
   */
  public long lastWrite() {
    if (unsure.compareAndSet(true, false)) {
      try {
        // whatever revision there is by now is at least as new
        last.accumulateAndGet(revision(), Math::max);
      } catch (StorageException e) {
        unsure.set(true);
        throw e;
      }
    }
    return last.get();
  }

  @Override
  public WriteOutcome write(Write write) {
    if (!marked.test(write)) {
      return super.write(write);
    }
    try {
      WriteOutcome outcome = super.write(write);
      if (outcome instanceof WriteOutcome.Applied applied) {
        last.accumulateAndGet(applied.revision(), Math::max);
      }
      return outcome;
    } catch (StorageException.UnknownOutcome unknown) {
      // the writer must learn of this and of nothing else, so the store is not asked here
      unsure.set(true);
      throw unknown;
    }
  }

  private static boolean isUnder(List<Bytes> prefixes, Bytes key) {
    for (Bytes prefix : prefixes) {
      if (key.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
