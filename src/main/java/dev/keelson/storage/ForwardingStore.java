package dev.keelson.storage;

import java.time.Duration;
import java.util.List;

/** A store that forwards every call to another one; decorators override single calls. */
public abstract class ForwardingStore implements RevisionedStore {

  private final RevisionedStore store;

  /** A decorator of {@code store}. */
  protected ForwardingStore(RevisionedStore store) {
    this.store = store;
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
  public List<KeyRevision> history(Bytes key, long atRevision, int limit) {
    return store.history(key, atRevision, limit);
  }

  @Override
  public WriteOutcome write(Write write) {
    return store.write(write);
  }

  @Override
  public long revision() {
    return store.revision();
  }

  @Override
  public boolean stale(Bytes key) {
    return store.stale(key);
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
