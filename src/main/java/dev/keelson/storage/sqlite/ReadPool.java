package dev.keelson.storage.sqlite;

import dev.keelson.storage.StorageException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The connections that read: as many as may be inside SQLite at once, opened when they are first
 * needed. Reads run on the caller's thread; they are short, and a hand-over to another thread costs
 * more than most of them.
 */
final class ReadPool implements AutoCloseable {

  /** A read; it may fail with a {@link StorageException} of its own. */
  interface Body<T> {
    T run(ReadSession session) throws SQLException;
  }

  private final StoreFile file;
  private final Duration deadline;
  private final int size;
  private final Semaphore permits;
  private final ConcurrentLinkedDeque<ReadSession> idle = new ConcurrentLinkedDeque<>();
  private volatile boolean closed;

  ReadPool(StoreFile file, SqliteOptions options) {
    this.file = file;
    deadline = options.deadline();
    size = options.readers();
    permits = new Semaphore(size);
  }

  <T> T read(Body<T> body) {
    long end = System.nanoTime() + deadline.toNanos();
    acquire();
    ReadSession session = null;
    try {
      if (closed) {
        throw new StorageException.Closed("the store was closed");
      }
      session = idle.pollFirst();
      if (session == null) {
        session = open();
      }
      session.deadline(end);
      return body.run(session);
    } catch (SQLException e) {
      ReadSession broken = session;
      session = null;
      StoreFile.closeAfter(e, broken);
      throw Failures.unavailable("cannot read", e);
    } finally {
      if (session != null) {
        idle.addFirst(session);
      }
      permits.release();
    }
  }

  private ReadSession open() throws SQLException {
    Connection connection = file.openForReading();
    try {
      return new ReadSession(connection);
    } catch (SQLException e) {
      StoreFile.closeAfter(e, connection);
      throw e;
    }
  }

  private void acquire() {
    try {
      if (!permits.tryAcquire(deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new StorageException.Unavailable("no read was free to begin in " + deadline, null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageException.Unavailable("interrupted before the read began", e);
    }
  }

  /** Waits for the reads that run and closes the connections. */
  @Override
  public void close() throws SQLException {
    closed = true;
    permits.acquireUninterruptibly(size);
    try {
      for (ReadSession session = idle.poll(); session != null; session = idle.poll()) {
        session.close();
      }
    } finally {
      permits.release(size);
    }
  }
}
