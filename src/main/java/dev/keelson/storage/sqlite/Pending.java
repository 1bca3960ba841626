package dev.keelson.storage.sqlite;

import dev.keelson.storage.StorageException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One request to the writer, and its answer. The caller can take it back until the writer has begun
 * it.
 */
final class Pending<T> {

  /** What the writer does for the request, inside its transaction. */
  interface Step<T> {
    T run(WriteSession session) throws SQLException;
  }

  private enum Stage {
    QUEUED,
    BEGUN,
    WITHDRAWN
  }

  private final Step<T> step;
  private final int bytes;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.QUEUED);
  private final CompletableFuture<T> answer = new CompletableFuture<>();

  /** The answer that counts once the transaction is committed; of the writer's thread. */
  private @Nullable T result;

  /** The refusal that counts once the transaction is committed; of the writer's thread. */
  private @Nullable StorageException refusal;

  Pending(Step<T> step, int bytes) {
    this.step = step;
    this.bytes = bytes;
  }

  int bytes() {
    return bytes;
  }

  /** Whether the writer may do it; false if the caller has given up. */
  boolean begin() {
    return stage.compareAndSet(Stage.QUEUED, Stage.BEGUN);
  }

  void run(WriteSession session) throws SQLException {
    try {
      result = step.run(session);
    } catch (StorageException e) {
      refusal = e;
    }
  }

  /** Hands the answer out. */
  void answer() {
    if (refusal != null) {
      answer.completeExceptionally(refusal);
    } else if (result != null) {
      answer.complete(result);
    }
  }

  void fail(StorageException failure) {
    answer.completeExceptionally(failure);
  }

  /**
   * Waits for the answer.
   *
   * @throws StorageException.Unavailable if none came in time and the request was not begun
   * @throws StorageException.UnknownOutcome if none came in time and the request was begun
   */
  T await(Duration deadline) {
    try {
      return answer.get(deadline.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw withdrawn("no answer within " + deadline, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw withdrawn("interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StorageException failure) {
        throw failure;
      }
      throw new StorageException.UnknownOutcome("the writer failed", e.getCause());
    }
  }

  private StorageException withdrawn(String why, Exception cause) {
    return stage.compareAndSet(Stage.QUEUED, Stage.WITHDRAWN)
        ? new StorageException.Unavailable(why + "; the write was not begun", cause)
        : new StorageException.UnknownOutcome(why + "; the write was begun", cause);
  }
}
