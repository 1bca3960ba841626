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
 * One request to the writer, and its result. The caller can cancel it until the writer begins it.
 */
final class Pending<T> {

  /** The work of the request, inside the writer's transaction. */
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

  /** The result if the transaction commits; used by the writer's thread. */
  private @Nullable T result;

  /** The error if the transaction commits; used by the writer's thread. */
  private @Nullable StorageException refusal;

  Pending(Step<T> step, int bytes) {
    this.step = step;
    this.bytes = bytes;
  }

  int bytes() {
    return bytes;
  }

  /** Begins the request; false if the caller has cancelled it. */
  boolean begin() {
    return stage.compareAndSet(Stage.QUEUED, Stage.BEGUN);
  }

  /** Runs the step, possibly again after a rollback. */
  void run(WriteSession session) throws SQLException {
    result = null;
    refusal = null;
    try {
      result = step.run(session);
    } catch (StorageException e) {
      refusal = e;
    }
  }

  /** Completes the request. */
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
   * Waits for the result. An interrupt cancels a request that was not begun; otherwise the result
   * is due within milliseconds, so the wait continues. The thread stays interrupted in both cases.
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
      String detail = "no answer within " + deadline;
      throw withdraw()
          ? new StorageException.Unavailable(detail + "; the write was not begun", e)
          : new StorageException.UnknownOutcome(detail + "; the write was begun", e);
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
