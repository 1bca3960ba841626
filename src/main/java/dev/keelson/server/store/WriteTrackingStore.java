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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * Records the revision of the last write to some keys, so that a reader of the watch cache can wait
 * until it has caught up with the writes that this server answered.
 */
public final class WriteTrackingStore extends ForwardingStore {

  private final Predicate<Write> marked;

  /** The marks of the parts of the store; their revisions cannot be compared. */
  private final IdentityHashMap<RevisionedStore, Mark> marks = new IdentityHashMap<>();

  /** The last write to one part. */
  private static final class Mark {
    final AtomicLong last = new AtomicLong();

    /** Whether a write with an unknown outcome may have been applied. */
    final AtomicBoolean unsure = new AtomicBoolean();
  }

  private WriteTrackingStore(RevisionedStore store, Predicate<Write> marked) {
    super(store);
    this.marked = marked;
    parts().forEach(part -> marks.put(part, new Mark()));
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
   * Returns a revision that is not older than the last write to the keys of the part of the store
   * that holds {@code key}; 0 if there was none.
   *
   * @throws StorageException if a write has an unknown outcome and the store does not respond
   */
  public long lastWrite(Bytes key) {
    RevisionedStore part = part(key);
    Mark mark = mark(part);
    AtomicBoolean unsure = mark.unsure;
    AtomicLong last = mark.last;
    if (unsure.compareAndSet(true, false)) {
      try {
        // the current revision is at least as new
        last.accumulateAndGet(part.revision(), Math::max);
      } catch (StorageException e) {
        unsure.set(true);
        throw e;
      }
    }
    return last.get();
  }

  /**
   * Forgets the last writes, for a store whose revisions may be older ones since it was restored
   * from a backup: the next {@link #lastWrite} is the store's newest revision.
   */
  public void forget() {
    for (Mark mark : marks.values()) {
      mark.last.set(0);
      mark.unsure.set(true);
    }
  }

  private Mark mark(RevisionedStore part) {
    return Objects.requireNonNull(marks.get(part));
  }

  @Override
  public WriteOutcome write(Write write) {
    if (!marked.test(write)) {
      return super.write(write);
    }
    Mark mark = mark(part(write.key()));
    try {
      WriteOutcome outcome = super.write(write);
      if (outcome instanceof WriteOutcome.Applied applied) {
        mark.last.accumulateAndGet(applied.revision(), Math::max);
      }
      return outcome;
    } catch (StorageException.UnknownOutcome unknown) {
      // the caller gets this exception; the revision is read later
      mark.unsure.set(true);
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
