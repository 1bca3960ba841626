package dev.keelson.storage;

import java.time.Duration;
import java.util.List;

/**
 * An ordered map of keys to values in which every change has one revision, rising strictly over the
 * whole store. The model is etcd's (KV, Watch and Lease API, version 3): a revision identifies one
 * state of the whole map.
 *
 * <p>All methods may be called from any thread; they block and are meant for virtual threads. Every
 * call ends within the configured deadline, with a result or a {@link StorageException}. Reads are
 * linearizable: a read sees every write that was acknowledged before it began.
 */
public interface RevisionedStore extends AutoCloseable {

  /** As {@code atRevision}: the newest state. */
  long NEWEST = 0;

  /**
   * Reads one key.
   *
   * @param atRevision the revision to read at, or {@link #NEWEST}
   * @throws StorageException.Compacted if the revision is no longer kept
   * @throws StorageException.FutureRevision if it does not exist yet
   * @throws StorageException.Unavailable if the store gave no answer
   */
  Read get(Bytes key, long atRevision);

  /**
   * Reads a range in the order of keys, all at one revision.
   *
   * @param atRevision the revision to read at, or {@link #NEWEST}
   * @param limit the most entries to return, at least 1; implementations may return fewer and set
   *     {@code more}
   * @throws StorageException.Compacted if the revision is no longer kept
   * @throws StorageException.FutureRevision if it does not exist yet
   * @throws StorageException.Unavailable if the store gave no answer
   */
  Page range(KeyRange range, long atRevision, int limit);

  /**
   * Reads at which revisions one key changed, the newest first, as far as they are kept: every
   * change after the compacted revision, and the one that made the state at that revision. The
   * values are read by {@link #get} at these revisions.
   *
   * @param atRevision later changes are left out; or {@link #NEWEST}
   * @param limit the most changes to return, at least 1; fewer are all that there are
   * @throws StorageException.Compacted if {@code atRevision} is no longer kept
   * @throws StorageException.FutureRevision if it does not exist yet
   * @throws StorageException.Unavailable if the store gave no answer
   */
  List<KeyRevision> history(Bytes key, long atRevision, int limit);

  /**
   * Changes one key if it, and the guard of the write, are at their expected revisions; atomic.
   *
   * @return the outcome; {@code Applied} only when the change is durable
   * @throws StorageException.UnknownOutcome if no response came, so that the write may have
   *     happened or may yet happen
   * @throws StorageException.Unavailable if the write was certainly not done
   * @throws StorageException.TooLarge if the value is larger than the store takes
   */
  WriteOutcome write(Write write);

  /**
   * The store's newest revision; linearizable as reads are, and cheap.
   *
   * @throws StorageException.Unavailable if the store gave no answer
   */
  long revision();

  /**
   * The bytes that the store takes on its disk, history and free space included.
   *
   * @throws StorageException.Unavailable if the store gave no answer
   */
  long sizeBytes();

  /**
   * Whether the newest value of {@code key} should be written again even if it does not change,
   * because its bytes at rest are outdated: encrypted with an old key, or not at all. May read the
   * store.
   *
   * @throws StorageException.Unavailable if the store gave no answer
   * @throws StorageException.Transformation if the value cannot be decrypted
   */
  default boolean stale(Bytes key) {
    return false;
  }

  /**
   * Opens a feed of every change of {@code range} with a revision above {@code afterRevision}.
   * Later errors are thrown by {@link ChangeFeed#next}.
   *
   * @param afterRevision at least 1; one in the future is allowed and waits
   */
  ChangeFeed feed(KeyRange range, long afterRevision);

  /**
   * Compacts the history before {@code revision}: reads at older revisions and feeds from before it
   * then fail. Returns when the compaction is recorded, before space is freed.
   *
   * @throws StorageException.FutureRevision if the revision does not exist yet
   * @throws StorageException.Compacted if the history was compacted at that revision or a later
   *     one; nothing changes
   */
  void compact(long revision);

  /**
   * Grants a lease; when it expires after {@code timeToLive}, its keys are deleted.
   *
   * @param timeToLive at least one second; rounded up to seconds
   * @return the lease's number, never 0
   */
  long grantLease(Duration timeToLive);

  /**
   * The stores that hold the keys: this one, or several whose revisions have nothing to do with
   * each other. Of several, each call is for one part: those with a key or a range go to the part
   * that holds it; {@link #revision}, {@link #compact}, {@link #grantLease} and {@link #sizeBytes}
   * must be called on a part.
   *
   * @return the same objects for each call
   */
  default List<RevisionedStore> parts() {
    return List.of(this);
  }

  /** The one of {@link #parts} that holds {@code key}. */
  default RevisionedStore part(Bytes key) {
    return this;
  }

  /** Splits a range into those that one of {@link #parts} holds each, in the order of keys. */
  default List<KeyRange> split(KeyRange range) {
    return List.of(range);
  }

  /** Ends feeds and connections; may be called twice. */
  @Override
  void close();
}
