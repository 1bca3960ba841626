package dev.keelson.server;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A store that remembers the revision of its last write to some keys, so that who derives something
 * from them can tell whether it has caught up with what was answered here.
 */
final class MarkedStore implements RevisionedStore {

  private final RevisionedStore store;
  private final List<Bytes> prefixes;
  private final AtomicLong last = new AtomicLong();

  MarkedStore(RevisionedStore store, List<Bytes> prefixes) {
    this.store = store;
    this.prefixes = List.copyOf(prefixes);
  }

  /** The revision of the last write to the keys that this store has seen; 0 if there was none. */
  long lastWrite() {
    return last.get();
  }

  @Override
  public WriteOutcome write(Write write) {
    if (!marked(write.key())) {
      return store.write(write);
    }
    try {
      WriteOutcome outcome = store.write(write);
      if (outcome instanceof WriteOutcome.Applied applied) {
        last.accumulateAndGet(applied.revision(), Math::max);
      }
      return outcome;
    } catch (StorageException.UnknownOutcome unknown) {
      // it may have been written: whatever revision there is by now is at least as new
      last.accumulateAndGet(store.revision(), Math::max);
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

  @Override
  public Read get(Bytes key, long atRevision) {
    return store.get(key, atRevision);
  }

  @Override
  public Page range(KeyRange range, long atRevision, int limit) {
    return store.range(range, atRevision, limit);
  }

  @Override
  public long revision() {
    return store.revision();
  }

  @Override
  public ChangeFeed feed(KeyRange range, long afterRevision) {
    return store.feed(range, afterRevision);
  }

  @Override
  public void compact(long revision) {
    store.compact(revision);
  }

  @Override
  public long grantLease(Duration timeToLive) {
    return store.grantLease(timeToLive);
  }

  @Override
  public void close() {
    store.close();
  }
}
