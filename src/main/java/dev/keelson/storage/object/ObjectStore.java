package dev.keelson.storage.object;

import dev.keelson.schema.StoredType;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.KeyRevision;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Objects in a {@link RevisionedStore}, by type, namespace and name. Safe for use by several
 * threads; every call blocks.
 *
 * <p>Errors are those of the store. A write of unknown outcome is resolved by reading the key and
 * its history; only if that is inconclusive does {@link StorageException.UnknownOutcome} reach the
 * caller.
 */
public final class ObjectStore {

  /** How many entries one read of a range asks for. */
  private static final int PAGE = 500;

  /** How many changes by others may follow a write of unknown outcome for it to be resolved. */
  private static final int CHANGES = 100;

  private final RevisionedStore store;
  private final KeyLayout layout;
  private final Expiry expiry;

  /** A store whose objects do not expire. */
  public ObjectStore(RevisionedStore store, KeyLayout layout) {
    this(store, layout, Expiry.none());
  }

  /** A store in which some objects expire. */
  public ObjectStore(RevisionedStore store, KeyLayout layout, Expiry expiry) {
    this.store = store;
    this.layout = layout;
    this.expiry = expiry;
  }

  /** The newest state of one object, whose entry is null if it does not exist. */
  public Read get(StoredType type, String namespace, String name) {
    return store.get(layout.key(type, namespace, name), RevisionedStore.NEWEST);
  }

  /**
   * Gives every object of a type in the order of keys, all as of one revision.
   *
   * @param namespace only objects of that namespace; empty for all
   * @return the revision
   */
  public long list(StoredType type, String namespace, Consumer<Entry> sink) {
    return list(layout.range(type, namespace), sink);
  }

  /**
   * Gives every object of a type in the order of keys, all as of one revision.
   *
   * @param keyPrefix of the type, as in {@link StoredType}
   * @return the revision
   */
  public long list(String keyPrefix, Consumer<Entry> sink) {
    return list(layout.range(keyPrefix), sink);
  }

  private long list(KeyRange objects, Consumer<Entry> sink) {
    KeyRange range = objects;
    long revision = RevisionedStore.NEWEST;
    while (true) {
      Page page = store.range(range, revision, PAGE);
      page.entries().forEach(sink);
      revision = page.revision();
      if (!page.more() || page.entries().isEmpty()) {
        return revision;
      }
      range = range.startingAfter(page.entries().getLast().key());
    }
  }

  /** A feed of the changes of every object of a type after {@code afterRevision}. */
  public ChangeFeed feed(StoredType type, long afterRevision) {
    return store.feed(layout.range(type, ""), afterRevision);
  }

  /** The name of the object that {@code key} belongs to: its last segment. */
  public static String name(Bytes key) {
    String text = key.utf8();
    return text.substring(text.lastIndexOf('/') + 1);
  }

  /**
   * Whether a write of an object of {@code type} can have a {@link #guard}: Keelson's own data must
   * be in the same store as the object.
   */
  public boolean guards(StoredType type) {
    return store.parts().size() == 1
        || store.part(layout.range(type, "").start()) == store.part(layout.own(""));
  }

  /**
   * Whether an update that changes nothing must write the object all the same, because its bytes at
   * rest are outdated ({@link RevisionedStore#stale}).
   */
  public boolean stale(StoredType type, String namespace, String name) {
    return store.stale(layout.key(type, namespace, name));
  }

  /** Stores an object that must not exist yet. */
  public WriteOutcome create(StoredType type, String namespace, String name, Bytes value) {
    return create(type, namespace, name, value, null);
  }

  /** Stores an object that must not exist yet, if {@code guard} holds. */
  public WriteOutcome create(
      StoredType type, String namespace, String name, Bytes value, Write.@Nullable Guard guard) {
    return put(type, namespace, name, value, Write.ABSENT, guard);
  }

  /** The condition that a key of Keelson's own data has a revision. */
  public Write.Guard guard(String own, long revision) {
    return new Write.Guard(layout.own(own), revision);
  }

  /** Stores an object that must be at {@code expectedRevision}. */
  public WriteOutcome replace(
      StoredType type, String namespace, String name, Bytes value, long expectedRevision) {
    return replace(type, namespace, name, value, expectedRevision, null);
  }

  /** Stores an object that must be at {@code expectedRevision}, if {@code guard} holds. */
  public WriteOutcome replace(
      StoredType type,
      String namespace,
      String name,
      Bytes value,
      long expectedRevision,
      Write.@Nullable Guard guard) {
    return put(type, namespace, name, value, expectedRevision, guard);
  }

  private WriteOutcome put(
      StoredType type,
      String namespace,
      String name,
      Bytes value,
      long expectedRevision,
      Write.@Nullable Guard guard) {
    Bytes key = layout.key(type, namespace, name);
    long lease = expiry.lease(store.part(key), type);
    try {
      return resolve(new Write.Put(key, value, expectedRevision, lease, guard));
    } catch (StorageException e) {
      expiry.invalidate(type, lease);
      throw e;
    }
  }

  /** Removes an object that must be at {@code expectedRevision}. */
  public WriteOutcome delete(
      StoredType type, String namespace, String name, long expectedRevision) {
    return resolve(Write.delete(layout.key(type, namespace, name), expectedRevision));
  }

  /** Removes the object of an entry that was read. */
  public WriteOutcome delete(Entry entry) {
    return resolve(Write.delete(entry.key(), entry.modRevision()));
  }

  private WriteOutcome resolve(Write write) {
    try {
      return store.write(write);
    } catch (StorageException.UnknownOutcome unknown) {
      WriteOutcome outcome = reread(write, unknown);
      if (outcome == null) {
        throw unknown;
      }
      return outcome;
    }
  }

  /** The outcome of {@code write}, or null if inconclusive. */
  private @Nullable WriteOutcome reread(Write write, StorageException.UnknownOutcome unknown) {
    try {
      Read read = store.get(write.key(), RevisionedStore.NEWEST);
      Entry entry = read.entry();
      long revision = entry == null ? Write.ABSENT : entry.modRevision();
      if (revision == write.expectedRevision()) {
        return null; // the request may still be on its way
      }
      if (write.expectedRevision() != Write.ABSENT) {
        return outcome(write, read);
      }
      return entry != null && write instanceof Write.Put put ? created(put, entry) : null;
    } catch (StorageException again) {
      unknown.addSuppressed(again);
      return null;
    }
  }

  /**
   * The outcome of a write that expects an object to be absent. That another object has the name
   * does not decide it: the write may have been applied and deleted before, or be applied when that
   * object is deleted.
   */
  private @Nullable WriteOutcome created(Write.Put put, Entry newest) {
    long revision = newest.createRevision();
    Entry first = store.get(put.key(), revision).entry();
    return first != null && first.value().equals(put.value())
        ? new WriteOutcome.Applied(revision)
        : null;
  }

  /**
   * The outcome of a write that expects a state of the object which is no longer the newest, and
   * never will be again. Decided by the change that followed that state: it is the write's own, or
   * the write lost its race. So a write is not mistaken for a lost one because others have changed
   * or deleted the object since.
   *
   * @return null if the history does not reach back so far
   */
  private @Nullable WriteOutcome outcome(Write write, Read read) {
    KeyRevision next = following(write, read);
    if (next == null) {
      return null;
    }
    boolean own =
        switch (write) {
          case Write.Delete _ -> next.isDeletion();
          case Write.Put put -> !next.isDeletion() && stored(put, next.revision());
        };
    if (own) {
      return new WriteOutcome.Applied(next.revision());
    }
    Entry entry = read.entry();
    return entry == null
        ? new WriteOutcome.Missing(read.revision())
        : new WriteOutcome.Conflict(entry);
  }

  private boolean stored(Write.Put put, long revision) {
    Entry entry = store.get(put.key(), revision).entry();
    return entry != null && entry.value().equals(put.value());
  }

  /** The first change of the key after its expected state; null if it is not known. */
  private @Nullable KeyRevision following(Write write, Read read) {
    // mostly nobody else has changed the object; a long history costs a read for each change
    KeyRevision next = following(write, read.revision(), 2);
    return next == null ? following(write, read.revision(), CHANGES) : next;
  }

  private @Nullable KeyRevision following(Write write, long revision, int limit) {
    KeyRevision next = null;
    for (KeyRevision change : store.history(write.key(), revision, limit)) {
      if (change.revision() <= write.expectedRevision()) {
        return change.revision() == write.expectedRevision() ? next : null;
      }
      next = change;
    }
    return null;
  }
}
