package dev.keelson.storage.sqlite;

import dev.keelson.storage.Change;
import dev.keelson.storage.StorageException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The thread that changes the file. It takes all requests that wait, runs them one after the other
 * in one transaction, commits (one flush for all of them), notifies the feeds, and then completes
 * the requests. Between two transactions it ends leases, removes compacted history and gives space
 * back, a little at a time.
 */
final class Writer implements Runnable {

  private static final Logger LOG = Logger.getLogger(Writer.class);

  /** Notified after each commit, before requests are completed. */
  interface Listener {
    /**
     * Reports one commit.
     *
     * @param changes the new changes, in order
     * @param state the store's state with them
     */
    void committed(List<Change> changes, WriteSession.State state);
  }

  private static final int QUEUE = 1024;
  private static final int BATCH = 512;
  private static final int BATCH_BYTES = 8 << 20;

  /** Keys that one transaction deletes because their leases ended. */
  private static final int EXPIRE_STEP = 500;

  /**
   * Revisions whose garbage one transaction removes, at first. Values differ much in size, so that
   * the step follows what the last one took.
   */
  private static final int PURGE_STEP = 256;

  private static final int PURGE_STEP_MOST = 4096;
  private static final int PURGE_STEP_LEAST = 8;

  /** What a step of the purge may take; writes wait so long. */
  private static final long PURGE_NANOS = 10_000_000;

  /** Pages that one transaction gives back. */
  private static final int SHRINK_STEP = 128;

  /** Free pages that are always kept, as the next writes will need them. */
  private static final int FREE_PAGES_KEPT = 1024;

  private static final long WAL_BYTES_LIMIT = 64L << 20;

  /** How long writes wait, once in a while, for the readers that keep the log from being cut. */
  private static final int WAL_PATIENCE_MILLIS = 30;

  /** How often the clock is looked at while leases exist; clocks can be set. */
  private static final long LEASE_LOOK_MILLIS = 500;

  /** How long upkeep pauses after a failure. */
  private static final long REST_MILLIS = 1000;

  private static final long IDLE_LOOK_MILLIS = 60_000;

  private final StoreFile file;
  private final WriteSession session;
  private final SqliteOptions options;
  private final InstantSource clock;
  private final Listener listener;
  private final BlockingQueue<Pending<?>> queue = new ArrayBlockingQueue<>(QUEUE);
  private final Thread thread;
  private volatile @Nullable StorageException stopped;

  // of the writer's thread
  private long nextExpiryMillis;
  private int purgeStep = PURGE_STEP;
  private long walRestUntilNanos;
  private boolean walRests;
  private boolean shrinking;
  private boolean shrunk;
  private boolean resting;
  private long restUntilNanos;

  Writer(
      StoreFile file,
      WriteSession session,
      SqliteOptions options,
      InstantSource clock,
      Listener listener) {
    this.file = file;
    this.session = session;
    this.options = options;
    this.clock = clock;
    this.listener = listener;
    thread = Thread.ofPlatform().daemon().name("sqlite-writer").unstarted(this);
  }

  void start() throws SQLException {
    nextExpiryMillis = session.nextExpiryMillis();
    thread.start();
  }

  /**
   * Has {@code step} run in a transaction and waits until that is durable.
   *
   * @param bytes about how large the change is
   */
  <T> T run(Pending.Step<T> step, int bytes) {
    Duration deadline = options.deadline();
    Pending<T> pending = new Pending<>(step, bytes);
    long begun = System.nanoTime();
    try {
      StorageException reason = stopped;
      if (reason != null) {
        throw reason;
      }
      if (!queue.offer(pending, deadline.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new StorageException.Unavailable("the queue of writes stayed full", null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StorageException.Unavailable("interrupted before the write was begun", e);
    }
    StorageException reason = stopped;
    if (reason != null) {
      // the writer may have emptied the queue for the last time before we put ours in
      failAll(reason);
    }
    return pending.await(deadline.minusNanos(System.nanoTime() - begun));
  }

  /** Stops after the transaction that runs; requests that wait fail. */
  void stop() {
    stopped = new StorageException.Closed("the store was closed");
    // something to wake it; if the queue is full it is awake anyway
    queue.offer(new Pending<>(any -> true, 0));
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        // the connection must not be closed under the writer; a transaction takes milliseconds
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    try {
      while (stopped == null) {
        runOnce();
      }
    } catch (Throwable e) {
      stopped = new StorageException.Unavailable("the writer of the store has failed: " + e, e);
      LOG.errorf(e, "writer failed file=%s", options.file());
    } finally {
      failAll(stopped == null ? new StorageException.Closed("the writer ended") : stopped);
    }
  }

  private void failAll(StorageException reason) {
    for (Pending<?> left = queue.poll(); left != null; left = queue.poll()) {
      if (left.begin()) {
        left.fail(reason);
      }
    }
  }

  private void runOnce() throws InterruptedException {
    List<Pending<?>> batch = take();
    if (!batch.isEmpty()) {
      commit(batch);
    }
    if (!isPaused()) {
      upkeep();
    }
    limitWal();
  }

  private void upkeep() {
    if (clock.millis() >= nextExpiryMillis) {
      expireLeases();
    }
    if (session.hasGarbage()) {
      purge();
    } else if (shrinking) {
      shrinking = shrink();
    }
    autoCompact();
  }

  private void expireLeases() {
    boolean done =
        inOwnTransaction(
            () -> {
              session.expireLeases(clock.millis(), EXPIRE_STEP);
              nextExpiryMillis = session.nextExpiryMillis();
            });
    if (!done) {
      // look again after the rest
      nextExpiryMillis = 0;
    }
  }

  private void purge() {
    long begun = System.nanoTime();
    shrinking = inOwnTransaction(() -> session.purge(purgeStep));
    long taken = System.nanoTime() - begun;
    if (taken > PURGE_NANOS) {
      purgeStep = Math.max(PURGE_STEP_LEAST, purgeStep / 2);
    } else if (taken < PURGE_NANOS / 4) {
      purgeStep = Math.min(PURGE_STEP_MOST, purgeStep * 2);
    }
  }

  /** Whether upkeep is paused after a failure. */
  private boolean isPaused() {
    resting = resting && System.nanoTime() - restUntilNanos < 0;
    return resting;
  }

  /** The requests that wait, or none if there is other work or it is time to look at the clock. */
  private List<Pending<?>> take() throws InterruptedException {
    Pending<?> next = queue.poll(patienceMillis(), TimeUnit.MILLISECONDS);
    List<Pending<?>> batch = new ArrayList<>();
    int bytes = 0;
    while (next != null) {
      if (next.begin()) {
        batch.add(next);
        bytes += next.bytes();
      }
      next = batch.size() < BATCH && bytes < BATCH_BYTES ? queue.poll() : null;
    }
    return batch;
  }

  private long patienceMillis() {
    if (isPaused()) {
      return REST_MILLIS;
    }
    if (session.hasGarbage() || shrinking) {
      return 0;
    }
    if (nextExpiryMillis == Long.MAX_VALUE) {
      return IDLE_LOOK_MILLIS;
    }
    return Math.clamp(nextExpiryMillis - clock.millis(), 0, LEASE_LOOK_MILLIS);
  }

  private void commit(List<Pending<?>> batch) {
    boolean begun = false;
    try {
      session.begin();
      begun = true;
      for (Pending<?> pending : batch) {
        pending.run(session);
      }
      publish();
    } catch (SQLException e) {
      StorageException failure = failure("cannot write", e);
      session.rollback(failure);
      if (begun) {
        refuse(batch, failure);
      } else {
        batch.forEach(pending -> pending.fail(failure));
      }
      return;
    } catch (RuntimeException | Error e) {
      StorageException failure = new StorageException.UnknownOutcome("the writer failed: " + e, e);
      session.rollback(failure);
      batch.forEach(pending -> pending.fail(failure));
      throw e;
    }
    batch.forEach(Pending::answer);
  }

  /**
   * Answers a batch whose transaction failed. If nothing was written, each request is tried alone:
   * one that meets damage, or that is too large for what is left of the disk, must not fail the
   * others.
   */
  private void refuse(List<Pending<?>> batch, StorageException failure) {
    if (batch.size() > 1 && failure instanceof StorageException.Unavailable) {
      batch.forEach(pending -> commit(List.of(pending)));
    } else {
      batch.forEach(pending -> pending.fail(failure));
    }
  }

  private void publish() throws SQLException {
    List<Change> changes = session.commit();
    listener.committed(changes, session.committed());
  }

  private static StorageException failure(String doing, SQLException cause) {
    return cause instanceof WriteSession.CommitFailed commit
        ? Failures.ofCommit(commit.reason())
        : Failures.unavailable(doing, cause);
  }

  private interface Work {
    void run() throws SQLException;
  }

  /**
   * Does some upkeep in a transaction of its own. If it fails (a full disk, say) it is left for a
   * later run: the requests of callers meet and report the same error.
   *
   * @return whether it was done
   */
  private boolean inOwnTransaction(Work work) {
    try {
      session.begin();
      work.run();
      publish();
      return true;
    } catch (SQLException e) {
      session.rollback(e);
      resting = true;
      restUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REST_MILLIS);
      LOG.warnf(e, "upkeep of the store failed file=%s", options.file());
      return false;
    }
  }

  /** To be called in the transaction that grants a lease. */
  void leaseGranted(long expiresMillis) {
    nextExpiryMillis = Math.min(nextExpiryMillis, expiresMillis);
  }

  /** Gives free pages back while more than a quarter of the file is free. */
  private boolean shrink() {
    boolean done =
        inOwnTransaction(
            () -> {
              WriteSession.Space space = session.space();
              if (space.free() > Math.max(FREE_PAGES_KEPT, space.all() / 4)) {
                session.shrink(SHRINK_STEP);
                shrunk = true;
              } else {
                shrinking = false;
              }
            });
    if (shrunk && !shrinking) {
      // the file itself becomes shorter only with a checkpoint
      shrunk = !truncateWal();
    }
    return done && shrinking;
  }

  private void autoCompact() {
    WriteSession.State state = session.committed();
    long most = options.maxHistory();
    // an eighth more, so that it happens now and then and not with every write
    if (most > 0 && state.revision() - state.compacted() > most + most / 8 + 1) {
      inOwnTransaction(() -> session.compact(state.revision() - most));
    }
  }

  /**
   * Overlapping readers prevent the log from being reset; then wait for the current ones. A long
   * read is not waited for: the log grows until it ends.
   */
  private void limitWal() {
    if (walRests && System.nanoTime() - walRestUntilNanos < 0) {
      return;
    }
    walRests = false;
    if (file.walBytes() > WAL_BYTES_LIMIT && !truncateWal()) {
      walRests = true;
      walRestUntilNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(REST_MILLIS);
    }
  }

  private boolean truncateWal() {
    try {
      return session.truncateWal(WAL_PATIENCE_MILLIS);
    } catch (SQLException e) {
      LOG.warnf(e, "cannot truncate the write-ahead log file=%s", options.file());
      return false;
    }
  }
}
