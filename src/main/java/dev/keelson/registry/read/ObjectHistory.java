package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.registry.Collection;
import dev.keelson.registry.StoredObject;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRevision;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.object.KeyLayout;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The revisions of single objects, from the store's own history. Safe for use by several threads;
 * every call blocks.
 */
public final class ObjectHistory {

  /** The most changes that are looked at for the oldest state. */
  private static final int MOST_STEPS = 10_000;

  private final RevisionedStore store;
  private final KeyLayout layout;

  /** The history of the objects of a store. */
  public ObjectHistory(RevisionedStore store, KeyLayout layout) {
    this.store = store;
    this.layout = layout;
  }

  /**
   * The revisions at which an object changed, the newest first; deletions and earlier objects of
   * the name included.
   *
   * @param at later revisions are left out; 0 for none
   * @param limit the most revisions, at least 1; fewer are all that are kept
   * @throws ApiException of reason Expired if {@code at} is no longer kept
   */
  public List<KeyRevision> revisions(Collection collection, String name, long at, int limit) {
    try {
      return store.history(key(collection, name), at, limit);
    } catch (StorageException.Compacted e) {
      throw expired(at, e);
    }
  }

  /**
   * The object as it was at a revision, which may be one of another object; empty if there was
   * none.
   *
   * @param revision positive
   * @throws ApiException of reason Expired if the revision is no longer kept
   */
  public Optional<StoredObject> at(Collection collection, String name, long revision) {
    Bytes key = key(collection, name);
    try {
      return stored(collection, store.get(key, revision).entry());
    } catch (StorageException.Compacted e) {
      Entry oldest = oldest(key);
      if (oldest == null || oldest.modRevision() != revision) {
        throw expired(revision, e);
      }
      return stored(collection, oldest);
    }
  }

  /**
   * The oldest state of a key that is kept. Its change may be older than the compacted revision, so
   * that no read at the revision of the change finds it. Null if the key has more than {@link
   * #MOST_STEPS} changes, or was deleted or compacted again meanwhile.
   */
  private @Nullable Entry oldest(Bytes key) {
    List<KeyRevision> changes = store.history(key, RevisionedStore.NEWEST, MOST_STEPS);
    try {
      return switch (changes.size()) {
        case 0, MOST_STEPS -> null;
        case 1 -> store.get(key, RevisionedStore.NEWEST).entry();
        default -> store.get(key, changes.get(changes.size() - 2).revision() - 1).entry();
      };
    } catch (StorageException.Compacted e) {
      return null; // the caller reports the compaction that it met first
    }
  }

  private static Optional<StoredObject> stored(Collection collection, @Nullable Entry entry) {
    return Optional.ofNullable(entry)
        .map(
            found ->
                new StoredObject(
                    collection.definition(), found.value(), found.modRevision(), null));
  }

  private Bytes key(Collection collection, String name) {
    return layout.key(collection.type(), collection.namespace(), name);
  }

  /** The error for a revision that is no longer kept. */
  static ApiException expired(long revision, StorageException.Compacted cause) {
    return new ApiException(
        Reason.EXPIRED,
        "The resourceVersion for the requested object is too old: revision "
            + revision
            + " is no longer kept.",
        ErrorDetails.NONE,
        cause);
  }
}
