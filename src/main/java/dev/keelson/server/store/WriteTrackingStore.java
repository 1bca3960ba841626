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
 * Records the revision of the last write to some keys, so that a reader of the watch cache can wait
 * until it has caught up with the writes that this server answered.
 */
public final class WriteTrackingStore extends ForwardingStore {

  private final Predicate<Write> marked;
  private final AtomicLong last = new AtomicLong();

  /** Whether a write with an unknown outcome may have been applied. */
  private final AtomicBoolean unsure = new AtomicBoolean();

  private WriteTrackingStore(RevisionedStore store, Predicate<Write> marked) {
    super(store);
    this.marked = marked;
  }

  /** Tracks writes of objects of {@code types}. */
  public static WriteTrackingStore of(
      RevisionedStore store, KeyLayout layout, Collection<StoredType> types) {
    List<Bytes> prefixes = prefixes(layout, types);
    return new WriteTrackingStore(store, write -> isUnder(prefixes, write.key()));
  }

  /**
   * Tracks writes that may invalidate tokens.
   *
   * @param held types of which deletes are tracked
   * @param read types of which all writes are tracked
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
   * Returns a revision that is not older than the last write to the keys; 0 if there was none.
   *
   * @throws StorageException if a write has an unknown outcome and the store does not respond
   */
  public long lastWrite() {
    if (unsure.compareAndSet(true, false)) {
      try {
        // the current revision is at least as new
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
      // the caller gets this exception; the revision is read later
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
