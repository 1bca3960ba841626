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
 * Lists and watches one stored type in the watch cache, as client-go's Reflector: first every
 * object, then every change. Used by one thread at a time; the wake-up runs on another.
 */
final class Reflector implements AutoCloseable {

  private static final int BATCH = 4096;

  /** Takes objects and changes. */
  interface Reader {

    /** All objects follow again. */
    void clear();

    /** An object was added or changed. */
    void put(Entry entry);

    /** An object was deleted. */
    void remove(Entry last);
  }

  private final StoredType type;
  private final Cacher cache;
  private final KeyRange keys;
  private final Runnable wake;
  private @Nullable EventStream stream;
  private volatile long changed;

  /**
   * @param wake runs on any thread when there may be changes to read; must not block
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

  /** Waits until the next {@link #read} includes {@code revision}; false on timeout. */
  boolean await(long revision, Duration patience) throws InterruptedException {
    return cache.atLeast(revision, patience).isPresent();
  }

  /** A revision that the next {@link #read} includes. */
  long reached() {
    return cache.revision();
  }

  /** Waits until the next {@link #read} includes every write answered before this call. */
  boolean awaitNewest() throws InterruptedException {
    return cache.fresh().isPresent();
  }

  /** The revision of the last change, or of the initial list. */
  long changed() {
    return changed;
  }

  /** Passes the changes since the last call. */
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
