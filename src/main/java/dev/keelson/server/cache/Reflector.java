package dev.keelson.server.cache;

import dev.keelson.schema.StoredType;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.watch.CacheEvent;
import dev.keelson.watch.Cacher;
import dev.keelson.watch.EventStream;
import dev.keelson.watch.Snapshot;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One stored type as somebody in this process follows it: first every object, then every change.
 * Used by one thread at a time; the wake-up comes on another.
 */
final class Reflector implements AutoCloseable {

  private static final int BATCH = 4096;

  /** Takes what there is to know. */
  interface Reader {

    /** Every object is about to be told anew. */
    void clear();

    /** An object as it now is. */
    void put(Entry entry);

    /** An object is gone. */
    void remove(Entry last);
  }

  private final StoredType type;
  private final Cacher cache;
  private final KeyRange keys;
  private final Runnable wake;
  private @Nullable EventStream stream;
  private volatile long changed;

  /**
   * Not yet following.
   *
   * @param wake is run on any thread when there may be more to read; must not block
   */
  Reflector(StoredType type, Cacher cache, KeyRange keys, Runnable wake) {
    this.type = type;
    this.cache = cache;
    this.keys = keys;
    this.wake = wake;
  }

  StoredType type() {
    return type;
  }

  /** Waits until what is read shows {@code revision}; false if that takes too long. */
  boolean await(long revision, Duration patience) throws InterruptedException {
    return cache.atLeast(revision, patience).isPresent();
  }

  /** What the cache had reached before this call is told by the next {@link #read}. */
  long reached() {
    return cache.revision();
  }

  /** Waits until what is read shows every write that was answered before this call. */
  boolean awaitNewest() throws InterruptedException {
    return cache.fresh().isPresent();
  }

  /** The revision of the last change that has been told, or of the state that was told first. */
  long changed() {
    return changed;
  }

  /** Tells what has come since the last call. */
  void read(Reader reader) {
    EventStream open = stream;
    if (open == null) {
      open = begin(reader);
    }
    while (true) {
      EventStream.Batch batch = open.poll(BATCH);
      for (CacheEvent event : batch.events()) {
        tell(event, reader);
        changed = event.revision();
      }
      if (batch.end() != null) {
        open.close();
        open = begin(reader);
      } else if (batch.events().size() < BATCH) {
        return;
      }
    }
  }

  private static void tell(CacheEvent event, Reader reader) {
    Entry after = event.after();
    Entry before = event.before();
    if (after != null) {
      reader.put(after);
    } else if (before != null) {
      reader.remove(before);
    }
  }

  private EventStream begin(Reader reader) {
    while (true) {
      Snapshot snapshot = cache.any();
      Optional<EventStream> opened = cache.watch(keys, null, snapshot.revision(), wake);
      if (opened.isPresent()) {
        stream = opened.get();
        changed = snapshot.revision();
        reader.clear();
        Iterator<Entry> entries = snapshot.iterator(keys);
        Consumer<Entry> put = reader::put;
        entries.forEachRemaining(put);
        return opened.get();
      }
    }
  }

  @Override
  public void close() {
    EventStream open = stream;
    if (open != null) {
      open.close();
    }
  }
}
