package dev.keelson.watch;

import dev.keelson.storage.RevisionedStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the store for its newest revision on behalf of many readers. A reader joins the request that
 * is sent next, never one that is in flight, so that the answer is at least as new as every write
 * that was answered before the reader called. Safe for use by several threads.
 */
final class RevisionCheck {

  private final RevisionedStore store;
  private @Nullable CompletableFuture<Long> next;
  private boolean busy;

  RevisionCheck(RevisionedStore store) {
    this.store = store;
  }

  /**
   * A revision that was the newest at some moment after this call began.
   *
   * @throws dev.keelson.storage.StorageException if the store does not answer
   */
  long next() throws InterruptedException {
    CompletableFuture<Long> mine;
    boolean lead;
    synchronized (this) {
      CompletableFuture<Long> joined = next;
      if (joined == null) {
        joined = new CompletableFuture<>();
        next = joined;
      }
      mine = joined;
      lead = !busy;
      busy = true;
    }
    if (lead) {
      request();
    }
    try {
      return mine.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IllegalStateException(e);
    }
  }

  /** Sends a request for the waiting readers; another thread sends the next one. */
  private void request() {
    CompletableFuture<Long> waiting;
    synchronized (this) {
      CompletableFuture<Long> all = next;
      if (all == null) {
        busy = false;
        return;
      }
      waiting = all;
      next = null;
    }
    try {
      waiting.complete(store.revision());
    } catch (RuntimeException e) {
      waiting.completeExceptionally(e);
    }
    synchronized (this) {
      if (next == null) {
        busy = false;
        return;
      }
    }
    Thread unused = Thread.ofVirtual().start(this::request);
  }
}
