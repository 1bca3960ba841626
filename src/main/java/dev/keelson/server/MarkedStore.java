package dev.keelson.server;

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

/**
 * A store that remembers the revision of its last write to some keys, so that who derives something
 * from them can tell whether it has caught up with what was answered here.
 */
final class MarkedStore extends ForwardingStore {

  private final List<Bytes> prefixes;
  private final AtomicLong last = new AtomicLong();

  /** Whether a write may have been done whose revision is not known. */
  private final AtomicBoolean unsure = new AtomicBoolean();

  private MarkedStore(RevisionedStore store, List<Bytes> prefixes) {
    super(store);
    this.prefixes = List.copyOf(prefixes);
  }

  /** A store that marks writes of objects of {@code types}. */
  static MarkedStore of(RevisionedStore store, KeyLayout layout, Collection<StoredType> types) {
    return new MarkedStore(
        store, types.stream().map(type -> layout.range(type, "").start()).toList());
  }

  /**
   * A revision that is not older than the last write to the keys that this store has seen; 0 if
   * there was none.
   *
   * @throws StorageException if a write may have been done and the store does not say how far it is
   */
  long lastWrite() {
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
    if (!marked(write.key())) {
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

  private boolean marked(Bytes key) {
    for (Bytes prefix : prefixes) {
      if (key.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }
}
