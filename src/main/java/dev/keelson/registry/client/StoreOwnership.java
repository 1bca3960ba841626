package dev.keelson.registry.client;

import dev.keelson.api.ApiException;
import dev.keelson.client.OwnedObject;
import dev.keelson.client.OwnershipFeed;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.object.OwnerReference;
import dev.keelson.registry.ObjectCodec;
import dev.keelson.registry.write.DeletionFinalizers;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.StoredType;
import dev.keelson.schema.codec.json.Excerpt;
import dev.keelson.schema.codec.stored.StoredScan;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.object.KeyLayout;
import dev.keelson.watch.WatchCache;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Reads owners from the store: lists all objects once, then follows the stream that feeds the watch
 * cache. An object that neither has owners nor waits for dependents is not decoded; its bytes are
 * searched for a few words.
 */
public final class StoreOwnership implements OwnershipFeed {

  /*
   * The stream is observed before the pass begins, and what it shows waits in `changes`. So a change is either in what the pass reads
   * or is seen after it, maybe both: an older state may be passed on after a newer one, and the stream then passes on the newer one again.
   * Deletes are passed on for every key; one from before an object was recreated only makes the listener look again.
   *
   * An object that loses its owners no longer shows them in its bytes, so the keys of those that once had some are kept, by the
   * stream's thread for what it shows and by the follower for what the pass finds. While the pass goes on, every change is passed on: the
   * pass may add a key after its object lost its owners.
   *
   * An object may be seen before the catalog has its type: another server has created it. Its key is then not parsed and the change is
   * dropped. After each change of the catalog, the objects of the types that are new in it are read, as in a pass.
   */

  private static final Logger LOG = Logger.getLogger(StoreOwnership.class);
  private static final int PAGE = 500;

  /** How many batches of changes may wait for the follower; each holds on to its objects. */
  private static final int MOST_WAITING = 65_536;

  /** The length from which it costs less to find the metadata than to search all of an object. */
  private static final int LARGE = 4096;

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final byte[] OWNERS = word("\"ownerReferences\"");
  private static final byte[] DELETION = word("\"deletionTimestamp\"");
  private static final byte[] ORPHAN = word("\"" + DeletionFinalizers.ORPHAN + "\"");
  private static final byte[] FOREGROUND = word("\"" + DeletionFinalizers.FOREGROUND + "\"");

  /** In the queue: the catalog has changed. */
  private static final List<Change> TYPES_CHANGED = new ArrayList<>();

  private static final Excerpt OWNERSHIP =
      Excerpt.of(
          List.of(
              "metadata.uid",
              "metadata.ownerReferences",
              "metadata.finalizers",
              "metadata.deletionTimestamp"));

  private final RevisionedStore store;
  private final KeyLayout layout;
  private final WatchCache cache;
  private final ObjectCodec codec;
  private final KeyParser keys;
  private final Duration patience;
  private final ResourceCatalog catalog;

  /**
   * Changes from the stream that the follower has not passed on yet; an empty list for lost
   * changes.
   */
  private final BlockingQueue<List<Change>> changes = new LinkedBlockingQueue<>();

  /** The keys of objects that have, or had, owners or wait for dependents. */
  private final Set<Bytes> watched = ConcurrentHashMap.newKeySet();

  /** The key prefixes of types that are served, and whose objects have not been read since. */
  private final Set<String> appeared = ConcurrentHashMap.newKeySet();

  private volatile boolean passing;

  /** Whether the observer is registered; {@link #follow} may be called again after a failure. */
  private final AtomicBoolean observing = new AtomicBoolean();

  /**
   * Not yet following.
   *
   * @param patience how long the pass waits if nothing happens
   */
  public StoreOwnership(
      RevisionedStore store,
      KeyLayout layout,
      WatchCache cache,
      ObjectCodec codec,
      ResourceCatalog catalog,
      Duration patience) {
    this.store = store;
    this.layout = layout;
    this.cache = cache;
    this.codec = codec;
    this.keys = new KeyParser(catalog, layout);
    this.patience = patience;
    this.catalog = catalog;
  }

  @Override
  public void follow(Listener listener) throws InterruptedException {
    if (observing.compareAndSet(false, true)) {
      observe();
    }
    @Nullable List<Change> next = changes.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
    readAll(listener);
    while (true) {
      if (next == TYPES_CHANGED) {
        readNewTypes(listener);
      } else if (next != null && next.isEmpty()) {
        readAll(listener);
      } else if (next != null) {
        next.forEach(change -> deliver(change, listener));
      }
      next = changes.take();
    }
  }

  private void observe() {
    catalog.onChange(this::typesChanged);
    cache.observe(
        new WatchCache.Observer() {
          @Override
          public void changed(List<Change> batch) {
            List<Change> relevant = batch.stream().filter(change -> matters(change)).toList();
            if (relevant.isEmpty()) {
              return;
            }
            if (changes.size() >= MOST_WAITING) {
              // listing again costs less than keeping all changes in memory
              changes.clear();
              changes.add(TYPES_CHANGED);
              lost();
            } else {
              changes.add(relevant);
            }
          }

          @Override
          public void lost() {
            changes.add(List.of());
          }
        });
  }

  /** Notes the key prefixes that are new; the objects below them are read by the follower. */
  private void typesChanged(
      ResourceCatalog.Snapshot before,
      ResourceCatalog.Snapshot after,
      ResourceCatalog.Change change) {
    boolean more = false;
    for (ResourceDefinition added : change.added()) {
      StoredType type = added.storage();
      more |=
          type != null
              && before.storedUnder(type.keyPrefix()).isEmpty()
              && appeared.add(type.keyPrefix());
    }
    boolean newKinds =
        change.added().stream().anyMatch(added -> before.find(added.gvk()).isEmpty());
    if (more || newKinds) {
      changes.add(TYPES_CHANGED);
    }
  }

  /** Delivers all objects; retries while the store is unavailable. */
  private void readAll(Listener listener) throws InterruptedException {
    while (true) {
      listener.restarted();
      // the pass reads all types
      appeared.clear();
      passing = true;
      try {
        for (KeyRange part : store.split(KeyRange.prefix(layout.prefix()))) {
          readOnce(part, listener);
        }
        passing = false;
        listener.complete();
        return;
      } catch (StorageException e) {
        LOG.warnf("event=ownership-read-failed error=%s", e.getMessage());
        Thread.sleep(PAUSE);
      }
    }
  }

  private void readNewTypes(Listener listener) throws InterruptedException {
    listener.typesChanged();
    passing = true;
    try {
      for (String prefix : List.copyOf(appeared)) {
        // removed before it is read: a type that comes again later is read again
        if (appeared.remove(prefix)) {
          readOnce(layout.range(prefix), listener);
        }
      }
      passing = false;
    } catch (StorageException e) {
      LOG.warnf("event=ownership-read-failed error=%s", e.getMessage());
      readAll(listener);
    }
  }

  private void readOnce(KeyRange all, Listener listener) throws InterruptedException {
    KeyRange rest = all;
    long revision = RevisionedStore.NEWEST;
    while (true) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      Page page = store.range(rest, revision, PAGE);
      for (Entry entry : page.entries()) {
        if (mayMatter(entry.value())) {
          watched.add(entry.key());
          deliver(entry, listener);
        }
      }
      if (!page.more() || page.entries().isEmpty()) {
        return;
      }
      revision = page.revision();
      rest = rest.startingAfter(page.entries().getLast().key());
    }
  }

  private boolean matters(Change change) {
    return switch (change) {
      case Change.Put put when mayMatter(put.entry().value()) -> {
        watched.add(put.key());
        yield true;
      }
      case Change.Put put -> watched.remove(put.key()) || passing;
      case Change.Delete delete -> {
        watched.remove(delete.key());
        yield true;
      }
    };
  }

  private void deliver(Change change, Listener listener) {
    switch (change) {
      case Change.Put put -> deliver(put.entry(), listener);
      case Change.Delete delete ->
          keys.place(delete.key()).ifPresent(place -> listener.gone(place.address()));
    }
  }

  private void deliver(Entry entry, Listener listener) {
    KeyParser.@Nullable Place place = keys.place(entry.key()).orElse(null);
    if (place == null || place.type() == null) {
      return;
    }
    ObjectMeta meta;
    try {
      meta = metadata(place.type(), entry.value());
    } catch (ApiException damaged) {
      // a read of the object reports the error; its owners are unknown
      LOG.warnf("event=ownership-unreadable object=%s error=%s", place.address(), damaged.text());
      return;
    }
    listener.changed(
        new OwnedObject(
            place.address(),
            meta.uid(),
            OwnerReference.of(meta),
            meta.deleting(),
            meta.deleting() && meta.finalizers().contains(DeletionFinalizers.ORPHAN),
            meta.deleting() && meta.finalizers().contains(DeletionFinalizers.FOREGROUND)));
  }

  /** Reads what ownership needs, of JSON without decoding or converting the object. */
  private ObjectMeta metadata(StoredType type, Bytes value) {
    Excerpt.Found found = OWNERSHIP.read(value.backing(), value.offset(), value.end());
    return found == null
        ? codec.metadata(type, value)
        : new ObjectMeta(found.root().map("metadata"));
  }

  /** Whether an object may have owners or wait for dependents. */
  private static boolean mayMatter(Bytes value) {
    if (value.isEmpty() || value.backing()[value.offset()] != '{') {
      return StoredScan.mayConcernOwners(value.array());
    }
    if (value.length() > LARGE) {
      // metadata comes first: what is behind it, such as the schemas of a definition, is not read
      Excerpt.Found found = OWNERSHIP.read(value.backing(), value.offset(), value.end());
      if (found != null) {
        MapNode metadata = found.root().map("metadata");
        return metadata.has("ownerReferences")
            || (metadata.has("deletionTimestamp") && metadata.has("finalizers"));
      }
    }
    return contains(value, OWNERS)
        || (contains(value, DELETION) && (contains(value, ORPHAN) || contains(value, FOREGROUND)));
  }

  private static boolean contains(Bytes value, byte[] word) {
    byte[] bytes = value.backing();
    byte second = word[1];
    int last = value.end() - word.length;
    for (int i = value.offset(); i <= last; i++) {
      // the second byte is rarer than the quote before it
      if (bytes[i + 1] == second && matches(bytes, i, word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean matches(byte[] bytes, int at, byte[] word) {
    for (int i = 0; i < word.length; i++) {
      if (bytes[at + i] != word[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] word(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
