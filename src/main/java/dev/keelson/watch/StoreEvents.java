package dev.keelson.watch;

import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads events directly from the store: for types without a cache, and for watchers that start
 * before the history of the cache, if {@link HistoryLoader} cannot extend it. These continue with
 * the cache when they have caught up with it.
 */
public final class StoreEvents implements EventStream {

  private static final Duration POLL = Duration.ofSeconds(5);
  private static final int MOST_WAITING = 2048;

  private final KeyRange range;
  private final @Nullable IndexValue value;
  private final @Nullable Cacher cache;
  private final Runnable wake;
  private final RevisionedStore store;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final ArrayDeque<CacheEvent> waiting = new ArrayDeque<>();
  private long revision;
  private @Nullable End end;
  private @Nullable EventStream continued;
  private @Nullable ChangeFeed feed;

  private StoreEvents(
      RevisionedStore store,
      KeyRange range,
      @Nullable IndexValue value,
      long revision,
      @Nullable Cacher cache,
      Runnable wake) {
    this.range = range;
    this.value = value;
    this.revision = revision;
    this.cache = cache;
    this.wake = wake;
    this.store = store;
  }

  /**
   * Follows {@code range} from just after {@code revision}.
   *
   * @param value the selected index value, as for {@link Cacher#watch}
   * @param cache the cache to continue with after catching up, or null
   * @param wake is run when there is something to poll; must not block and must not call back
   */
  public static StoreEvents open(
      RevisionedStore store,
      KeyRange range,
      @Nullable IndexValue value,
      long revision,
      @Nullable Cacher cache,
      Runnable wake) {
    StoreEvents events = new StoreEvents(store, range, value, revision, cache, wake);
    Thread unused = Thread.ofVirtual().name("store-events").start(events::follow);
    return events;
  }

  private void follow() {
    try {
      boolean joined = joined();
      if (!joined && cache != null) {
        cache.extendHistory(revision);
        joined = joined();
      }
      if (!joined && !readStore()) {
        return;
      }
    } catch (StorageException.Compacted | StorageException.RolledBack e) {
      end(End.EXPIRED);
    } catch (StorageException e) {
      end(ended() ? End.CLOSED : End.UNAVAILABLE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(End.CLOSED);
    }
    wake.run();
  }

  /** Reads the store until the cache continues; false if the stream has ended. */
  private boolean readStore() throws InterruptedException {
    try (ChangeFeed open = store.feed(range, revision)) {
      lock.lock();
      try {
        feed = open;
      } finally {
        lock.unlock();
      }
      while (!joined()) {
        if (ended()) {
          return false;
        }
        ChangeFeed.Batch batch = open.next(POLL);
        if (ended() || (batch != null && !take(batch))) {
          return false;
        }
        if (batch != null && !batch.unreadable().isEmpty()) {
          end(End.UNAVAILABLE);
          return true;
        }
      }
      return true;
    }
  }

  /** Adds events of the store, waiting for room; false if the reader has closed the stream. */
  private boolean take(ChangeFeed.Batch batch) throws InterruptedException {
    List<CacheEvent> events = new ArrayList<>(batch.changes().size());
    for (Change change : batch.changes()) {
      Entry after = change instanceof Change.Put put ? put.entry() : null;
      if (after == null && change.previous() == null) {
        // the previous value of a deleted object is no longer available
        end(End.EXPIRED);
        wake.run();
        return false;
      }
      events.add(
          new CacheEvent(
              change.revision(), change.key(), change.previous(), after, /* state= */ null));
    }
    lock.lock();
    try {
      while (waiting.size() > MOST_WAITING && end == null) {
        room.await();
      }
      waiting.addAll(events);
      revision = batch.revision();
    } finally {
      lock.unlock();
    }
    wake.run();
    return !ended();
  }

  /** Whether the cache's history reaches back to this revision and continues the stream. */
  private boolean joined() {
    if (cache == null) {
      return false;
    }
    long from;
    lock.lock();
    try {
      from = revision;
    } finally {
      lock.unlock();
    }
    if (from < cache.oldest()) {
      return false;
    }
    Optional<EventStream> stream = cache.watch(range, value, from, wake);
    if (stream.isEmpty()) {
      return false;
    }
    lock.lock();
    try {
      continued = stream.get();
      if (end != null) {
        continued.close();
      }
    } finally {
      lock.unlock();
    }
    return true;
  }

  private boolean ended() {
    lock.lock();
    try {
      return end != null;
    } finally {
      lock.unlock();
    }
  }

  private void end(End why) {
    lock.lock();
    try {
      if (end == null) {
        end = why;
      }
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Batch poll(int most) {
    EventStream next;
    lock.lock();
    try {
      if (!waiting.isEmpty() || continued == null) {
        List<CacheEvent> events = new ArrayList<>(Math.min(most, waiting.size()));
        while (events.size() < most && !waiting.isEmpty()) {
          events.add(waiting.poll());
        }
        room.signalAll();
        boolean all = waiting.isEmpty();
        long upTo = all || events.isEmpty() ? revision : events.getLast().revision();
        return new Batch(events, upTo, all && continued == null ? end : null);
      }
      next = continued;
    } finally {
      lock.unlock();
    }
    return next.poll(most);
  }

  /** Only after continuing with the cache: the store is not read faster than the reader polls. */
  @Override
  public boolean lagged() {
    EventStream next;
    lock.lock();
    try {
      next = continued;
    } finally {
      lock.unlock();
    }
    return next != null && next.lagged();
  }

  @Override
  public void close() {
    end(End.CLOSED);
    EventStream next;
    ChangeFeed open;
    lock.lock();
    try {
      next = continued;
      open = feed;
    } finally {
      lock.unlock();
    }
    if (next != null) {
      next.close();
    }
    if (open != null) {
      open.close();
    }
  }
}
