package dev.keelson.watch;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the store's newest revision for consistent reads, batching concurrent readers. A reader
 * joins a request that has not been sent, never one in flight, so that the revision is at least as
 * new as every write answered before the call. Safe for use by several threads.
 */
final class RevisionCheck {

  /*
   * A request costs this server and the store several times the processor time of the GET that needs it, so that the rate of GETs
   * depends on how many share one. Requests of few readers are sent at once; after one of MANY the next is sent after an interval.
   * Two can be in flight, for a store that is far away: readers that arrive during one need not wait for its answer.
   *
   * A batch is led by its first reader, which sends the request on its own thread, after the interval if that is not over. If two
   * requests are in flight, the first of them to end passes the batch on to another thread.
   */

  /** Maximum number of requests in flight. */
  static final int AT_ONCE = 2;

  /** A request for at least so many readers makes the next one wait. */
  static final int MANY = 4;

  private static final class Batch {
    final CompletableFuture<Long> revision = new CompletableFuture<>();
    int readers;
  }

  private final LongSupplier store;
  private final long intervalNanos;

  // guarded by this, as are the three below
  private @Nullable Batch next;

  /** Whether the leader of {@code next} waits for another request to end. */
  private boolean blocked;

  private int inFlight;
  private long earliestNanos = System.nanoTime();

  /**
   * Checks a store.
   *
   * @param store asks it for its newest revision; blocks
   * @param interval the least time between the starts of two requests, the first of which has many
   *     readers
   */
  RevisionCheck(LongSupplier store, Duration interval) {
    this.store = store;
    this.intervalNanos = interval.toNanos();
  }

  /**
   * Returns a revision that was the newest at a time after this call began.
   *
   * @throws dev.keelson.storage.StorageException if the store does not respond
   */
  long next() throws InterruptedException {
    while (true) {
      try {
        return batch().revision.get();
      } catch (CancellationException e) {
        // the thread that led the batch was interrupted; this one was not
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException cause) {
          throw cause;
        }
        throw new IllegalStateException(e);
      }
    }
  }

  /** Returns a batch whose request is sent after this call began, by this thread if it leads. */
  private Batch batch() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    Batch mine;
    boolean lead;
    synchronized (this) {
      Batch joined = next;
      if (joined == null) {
        joined = new Batch();
        next = joined;
        blocked = inFlight == AT_ONCE;
        lead = !blocked;
        if (lead) {
          inFlight++;
        }
      } else {
        lead = false;
      }
      joined.readers++;
      mine = joined;
    }
    if (lead) {
      send(mine);
    }
    return mine;
  }

  /** Sends the request of the batch that is {@code next}, when it may be sent. */
  private void send(Batch batch) {
    long left = untilInterval();
    if (left > 0) {
      // an interrupted thread does not wait, which costs a request more
      LockSupport.parkNanos(this, left);
    }
    synchronized (this) {
      next = null;
      earliestNanos = System.nanoTime() + (batch.readers >= MANY ? intervalNanos : 0);
    }
    try {
      batch.revision.complete(store.getAsLong());
    } catch (RuntimeException e) {
      if (Thread.currentThread().isInterrupted()) {
        batch.revision.cancel(/* mayInterruptIfRunning= */ false);
      } else {
        batch.revision.completeExceptionally(e);
      }
    }
    Batch waiting;
    synchronized (this) {
      if (!blocked) {
        inFlight--;
        return;
      }
      blocked = false;
      waiting = next;
    }
    if (waiting != null) {
      Thread unused = Thread.ofVirtual().start(() -> send(waiting));
    }
  }

  private synchronized long untilInterval() {
    return earliestNanos - System.nanoTime();
  }

  /** The number of readers of the request that is sent next. */
  synchronized int waiting() {
    Batch batch = next;
    return batch == null ? 0 : batch.readers;
  }
}
