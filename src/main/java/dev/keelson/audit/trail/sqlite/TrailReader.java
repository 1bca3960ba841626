package dev.keelson.audit.trail.sqlite;

import dev.keelson.audit.trail.TrailException;
import dev.keelson.work.Turn;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConnection;

/**
 * Reads the file on platform threads, each time on a connection of its own. A search may look at
 * all events in one call of SQLite's code, which would keep the carrier of a virtual thread; it is
 * interrupted when nobody waits for it any more. Safe for use by several threads.
 */
final class TrailReader {

  /** Searches at a time; others wait for their turn. */
  private static final int THREADS = 4;

  /** How often a request looks for its client, in milliseconds. */
  private static final long LOOK = 50;

  private static final long IDLE_SECONDS = 60;

  private final TrailFile file;
  private final ThreadPoolExecutor threads;

  /** Reads from a connection. */
  @FunctionalInterface
  interface Search<T> {
    T on(Connection connection) throws SQLException;
  }

  TrailReader(TrailFile file) {
    this.file = file;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("audit-trail-read-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /** One search; used by its request and by the thread that runs it. */
  private final class Reading<T> implements Callable<T> {
    private final Search<T> search;
    private final CountDownLatch ended = new CountDownLatch(1);

    /** Guards the fields below. */
    private final ReentrantLock lock = new ReentrantLock();

    /** Null before the search and after it. */
    private @Nullable SQLiteConnection running;

    private boolean abandoned;

    Reading(Search<T> search) {
      this.search = search;
    }

    @Override
    public T call() throws SQLException {
      try (Connection connection = file.openForReads()) {
        begin(connection);
        try {
          return search.on(connection);
        } finally {
          end();
        }
      } finally {
        ended.countDown();
      }
    }

    private void begin(Connection connection) throws SQLException {
      lock.lock();
      try {
        if (abandoned) {
          throw new SQLException("the search was abandoned");
        }
        running = connection.unwrap(SQLiteConnection.class);
      } finally {
        lock.unlock();
      }
    }

    private void end() {
      lock.lock();
      try {
        running = null;
      } finally {
        lock.unlock();
      }
    }

    boolean awaitEnd() throws InterruptedException {
      return ended.await(LOOK, TimeUnit.MILLISECONDS);
    }

    /** Ends the search soon; SQLite forgets an interrupt between two statements. */
    void abandon() throws SQLException {
      lock.lock();
      try {
        abandoned = true;
        if (running != null) {
          running.getDatabase().interrupt();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Runs a search and waits for it.
   *
   * @throws dev.keelson.api.ApiException of reason Timeout if the client of the request has gone
   * @throws TrailException.Unavailable if the thread is interrupted
   */
  <T> T read(Search<T> search) throws SQLException, TrailException {
    Reading<T> reading = new Reading<>(search);
    FutureTask<T> result = new FutureTask<>(reading);
    submit(result);
    boolean complete = false;
    try {
      while (!reading.awaitEnd()) {
        Turn.check();
      }
      complete = true;
      return result.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SQLException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TrailException.Unavailable("the search was interrupted", e);
    } finally {
      if (!complete) {
        end(reading, result);
      }
    }
  }

  private void submit(FutureTask<?> result) throws TrailException {
    try {
      threads.execute(result);
    } catch (RejectedExecutionException e) {
      throw new TrailException.Unavailable("the trail is closed", e);
    }
  }

  /** Makes sure that a search does not go on. */
  private void end(Reading<?> reading, FutureTask<?> result) throws SQLException {
    if (threads.remove(result)) {
      return;
    }
    boolean interrupted = Thread.interrupted();
    boolean ended = false;
    while (!ended) {
      reading.abandon();
      try {
        ended = reading.awaitEnd();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes no more searches. Running ones end. */
  void close() {
    threads.shutdown();
  }

  /** The searches that run. */
  int running() {
    return threads.getActiveCount();
  }
}
