package dev.keelson.registry.read;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A watch whose objects a webhook converts. A virtual thread polls the watch of the stored objects,
 * which blocks while it converts, and leaves the events in a bounded queue; the reader's polls do
 * not block. While the queue is full or a call runs, events wait in the stream of the cache, where
 * a watch that falls too far behind is ended, as any other.
 *
 * <p>One lock guards all fields; {@code wake} runs outside of it.
 */
final class ConvertedWatch implements ObjectWatch {

  private static final int EVENTS_A_POLL = 64;

  /** The number of events that wait for the reader. */
  private static final int MAX_WAITING = 256;

  private final Runnable wake;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Batch> ready = new ArrayDeque<>();
  private int waiting;
  private boolean signalled = true;
  private boolean closed;
  private long revision;
  private boolean initialDone;
  private @Nullable ObjectWatch source;
  private @Nullable Thread thread;

  /**
   * A watch that has not started.
   *
   * @param wake is run when there is more to poll; must not block
   */
  ConvertedWatch(Runnable wake) {
    this.wake = wake;
  }

  /**
   * Starts to convert.
   *
   * @param watch the watch of the stored objects, which runs {@link #wake}
   * @param name what is watched, for the name of the thread
   */
  void start(ObjectWatch watch, String name) {
    lock.lock();
    try {
      source = watch;
      thread = Thread.ofVirtual().name("convert " + name).start(() -> run(watch));
    } finally {
      lock.unlock();
    }
  }

  /** Says that the source has events; any thread. */
  void wake() {
    lock.lock();
    try {
      signalled = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void run(ObjectWatch watch) {
    try {
      while (awaitWork()) {
        Batch batch = converted(watch);
        if (offer(batch)) {
          wake.run();
        }
        if (batch.end() != null) {
          return;
        }
      }
    } catch (InterruptedException e) {
      // only close() interrupts
      Thread.currentThread().interrupt();
    }
  }

  private boolean awaitWork() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && (!signalled || waiting >= MAX_WAITING)) {
        changed.await();
      }
      signalled = false;
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  private static Batch converted(ObjectWatch watch) {
    try {
      return watch.poll(EVENTS_A_POLL);
    } catch (ApiException e) {
      return failed(e);
    } catch (RuntimeException e) {
      return failed(
          new ApiException(
              Reason.INTERNAL_ERROR, "Internal error occurred: " + e, ErrorDetails.NONE, e));
    }
  }

  private static Batch failed(ApiException e) {
    return new Batch(List.of(), 0, /* initialDone= */ false, /* more= */ false, e);
  }

  /** Adds what was polled; returns whether the reader has something to take. */
  private boolean offer(Batch batch) {
    lock.lock();
    try {
      signalled |= batch.more();
      if (batch.events().isEmpty() && batch.end() == null && ready.isEmpty()) {
        boolean first = batch.initialDone() && !initialDone;
        progress(batch);
        return first;
      }
      ready.add(batch);
      waiting += batch.events().size();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void progress(Batch batch) {
    revision = Math.max(revision, batch.revision());
    initialDone |= batch.initialDone();
  }

  @Override
  public Batch poll(int most) {
    lock.lock();
    try {
      Batch next = ready.poll();
      if (next == null) {
        // without events, the source may still know a later revision
        signalled = true;
        changed.signalAll();
        return new Batch(List.of(), revision, initialDone, /* more= */ false, null);
      }
      waiting -= next.events().size();
      changed.signalAll();
      progress(next);
      return new Batch(next.events(), revision, initialDone, !ready.isEmpty(), next.end());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean lagged() {
    ObjectWatch watch = source;
    return watch != null && watch.lagged();
  }

  @Override
  public void close() {
    lock.lock();
    try {
      if (!closed) {
        closed = true;
        changed.signalAll();
        if (source != null) {
          source.close();
        }
        if (thread != null) {
          thread.interrupt();
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
