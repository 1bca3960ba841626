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
  public long sizeBytes() {
    return store.sizeBytes();
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

  /**
   * This store, or the parts of the store that it forwards to. What a decorator adds to calls must
   * not be needed on a part: whoever uses it decorates the parts, or writes through the whole.
   */
  @Override
  public List<RevisionedStore> parts() {
    List<RevisionedStore> parts = store.parts();
    return parts.size() == 1 ? List.of(this) : parts;
  }

  @Override
  public RevisionedStore part(Bytes key) {
    RevisionedStore part = store.part(key);
    return part == store || store.parts().size() == 1 ? this : part;
  }

  @Override
  public List<KeyRange> split(KeyRange range) {
    return store.split(range);
  }

  @Override
  public void close() {
    store.close();
  }
}
