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

  /** Does it; again, if the transaction that it was done in before has been rolled back. */
  void run(WriteSession session) throws SQLException {
    result = null;
    refusal = null;
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
   * Waits for the answer. An interrupt takes the request back if it was not begun; else the answer
   * is milliseconds away and is worth more to the caller than leaving early, so that the wait goes
   * on. The thread stays interrupted in both cases.
   *
   * @throws StorageException.Unavailable if none came in time, or the thread was interrupted, and
   *     the request was not begun
   * @throws StorageException.UnknownOutcome if none came in time and the request was begun
   */
  T await(Duration deadline) {
    long end = System.nanoTime() + deadline.toNanos();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return answer.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
          if (withdraw()) {
            throw new StorageException.Unavailable("interrupted; the write was not begun", e);
          }
        }
      }
    } catch (TimeoutException e) {
      String why = "no answer within " + deadline;
      throw withdraw()
          ? new StorageException.Unavailable(why + "; the write was not begun", e)
          : new StorageException.UnknownOutcome(why + "; the write was begun", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof StorageException failure) {
        throw failure;
      }
      throw new StorageException.UnknownOutcome("the writer failed", e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private boolean withdraw() {
    return stage.compareAndSet(Stage.QUEUED, Stage.WITHDRAWN);
  }
}
