package dev.keelson.http.trail;

import dev.keelson.api.ApiException;
import dev.keelson.audit.trail.TrailQuery;
import dev.keelson.audit.trail.TrailStore;
import dev.keelson.audit.trail.TrailStore.Entry;
import dev.keelson.audit.trail.TrailStore.Tail;
import dev.keelson.registry.StoredObject;
import dev.keelson.registry.read.ObjectEvent;
import dev.keelson.registry.read.ObjectEvent.Type;
import dev.keelson.registry.read.ObjectWatch;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.storage.Bytes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A watch of the trail: new events in the order in which they become visible. Reads the store on a
 * virtual thread of its own, and only after the reader has taken the last events, so that a slow
 * reader costs no memory. Other servers write the same trail, so that it is asked at an interval.
 */
final class TrailWatch implements ObjectWatch {

  private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(500);

  /** The most events of one read. */
  private static final int CHUNK = 200;

  private final ResourceDefinition definition;
  private final TrailStore store;
  private final TrailQuery query;
  private final Runnable wake;

  /** Guards the fields below. No foreign code is called with it held. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Condition changed = lock.newCondition();
  private final ArrayDeque<Entry> waiting;
  private int initial;
  private long position;
  private boolean closed;
  private @Nullable ApiException failure;

  /**
   * A watch that is not started.
   *
   * @param first the events that it begins with
   * @param position where to continue behind them
   */
  TrailWatch(
      ResourceDefinition definition,
      TrailStore store,
      TrailQuery query,
      List<Entry> first,
      long position,
      Runnable wake) {
    this.definition = definition;
    this.store = store;
    this.query = query;
    this.wake = wake;
    this.waiting = new ArrayDeque<>(first);
    this.initial = first.size();
    this.position = position;
  }

  void start() {
    Thread unused = Thread.ofVirtual().name("audit-trail-watch").start(this::run);
  }

  private void run() {
    try {
      long from = nextRead(0);
      while (from >= 0) {
        long start = from;
        Tail tail = TrailCall.ask(() -> store.tail(query, start, CHUNK));
        deliver(tail);
        // more may be there already if the chunk is full
        from = nextRead(tail.entries().size() < CHUNK ? INTERVAL : 0);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ApiException e) {
      fail(e);
    }
  }

  /** Waits until the reader has taken everything; returns where to read, or -1 after the end. */
  private long nextRead(long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (!closed && left > 0) {
        left = changed.awaitNanos(left);
      }
      while (!closed && !waiting.isEmpty()) {
        changed.await();
      }
      return closed ? -1 : position;
    } finally {
      lock.unlock();
    }
  }

  private void deliver(Tail tail) {
    lock.lock();
    try {
      waiting.addAll(tail.entries());
      position = tail.position();
    } finally {
      lock.unlock();
    }
    if (!tail.entries().isEmpty()) {
      wake.run();
    }
  }

  private void fail(ApiException cause) {
    lock.lock();
    try {
      failure = cause;
    } finally {
      lock.unlock();
    }
    wake.run();
  }

  @Override
  public Batch poll(int most) {
    lock.lock();
    try {
      List<ObjectEvent> events = new ArrayList<>(Math.min(most, waiting.size()));
      long last = position;
      while (events.size() < most && !waiting.isEmpty()) {
        Entry entry = waiting.poll();
        last = entry.position();
        events.add(event(entry));
      }
      initial -= Math.min(initial, events.size());
      boolean taken = waiting.isEmpty();
      if (taken) {
        changed.signalAll();
      }
      // the events that a watch begins with are in the order of time, not of positions
      long revision = taken ? position : initial > 0 ? 0 : last;
      return new Batch(events, revision, initial == 0, !taken, taken ? failure : null);
    } finally {
      lock.unlock();
    }
  }

  private ObjectEvent event(Entry entry) {
    return new ObjectEvent(
        Type.ADDED,
        new StoredObject(
            definition,
            Bytes.EMPTY,
            0,
            EventObjects.of(entry).withType(definition.gvk().apiVersion(), definition.kind())),
        null);
  }

  @Override
  public boolean lagged() {
    return false;
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      waiting.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
