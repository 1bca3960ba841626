package dev.keelson.watch;

import dev.keelson.storage.RevisionedStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the store's newest revision for consistent reads, batching concurrent readers. A reader
 * joins the next request, never one in flight, so that the revision is at least as new as every
 * write answered before the call. Safe for use by several threads.
 */
final class RevisionCheck {

  private final RevisionedStore store;
  private @Nullable CompletableFuture<Long> next;
  private boolean busy;

  RevisionCheck(RevisionedStore store) {
    this.store = store;
  }

  /**
   * Returns a revision that was the newest at a time after this call began.
   *
   * @throws dev.keelson.storage.StorageException if the store does not respond
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
