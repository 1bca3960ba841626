package dev.keelson.storage.etcd;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.StorageException;
import io.etcd.jetcd.common.exception.CompactedException;
import io.etcd.jetcd.watch.WatchEvent;
import io.etcd.jetcd.watch.WatchResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** A feed of consecutive watch sessions, driven by the reader's thread. */
final class EtcdFeed implements ChangeFeed {

  /*
   * The position is `reached`: the revision up to which everything has been handed out. It comes
   * from the events (their revisions, never the response's header, which can be ahead of them) and,
   * where ProgressPolicy allows, from etcd's progress notifications.
   *
   * When a session ends, for whatever reason, the reader first takes what the session had received,
   * waits a little, and opens the next session at `reached` itself, not at `reached + 1`; what it
   * knows already is dropped. So etcd refuses the watch exactly if the history after `reached` has
   * been cut. With a start at the compacted revision it would not, but can leave out a deletion of
   * that revision (etcd issue 19179).
   *
   * All changes of one revision are in one response, as etcd splits a revision only for watches
   * that ask for fragments, and a response becomes one batch.
   *
   * An etcd that was restored from a backup is behind `reached`, and would give out revisions again
   * with another meaning. Its answer to a new watch has its revision. A member that lags behind
   * looks the same, so that a linearizable read decides. `known` is the newest revision in any answer
   * of etcd, since a feed may begin at a revision to come.
   *
   * A write to a key outside of the range moves etcd's revision on without a change for this feed, such as the mark of each compaction.
   * Where progress notifications are not reliable, a feed that is quiet then watches all keys, so that each revision has a change, and hands
   * out its own. A user of etcd with rights on the range alone is refused that, and is left with the range.
   *
   * A feed without a reader uses no threads except jetcd's event loop, which fills the session up to its limit.
   */

  private static final Logger LOG = Logger.getLogger(EtcdFeed.class);

  private static final KeyRange ALL_KEYS = new KeyRange(Bytes.EMPTY, Bytes.EMPTY);

  /** The least time between two requests of progress. */
  private static final long LEAST_BETWEEN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final Connection connection;
  private final EtcdOptions options;
  private final ProgressPolicy progress;
  private final KeyRange range;
  private final LongSupplier revision;
  private final Consumer<EtcdFeed> whenClosed;

  // guards session and closed
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition closing = lock.newCondition();
  private @Nullable WatchSession session;
  private boolean closed;

  private final AtomicLong askedNanos = new AtomicLong(System.nanoTime() - LEAST_BETWEEN_NANOS);

  /** Whether sessions watch all keys. */
  private volatile boolean wide;

  /** Whether etcd has refused to let this user watch all keys. */
  private volatile boolean confined;

  // of the reader
  private long reached;
  private int failures;
  private long resumeAtNanos;
  private long progressAtNanos;
  private StorageException.@Nullable Compacted lost;
  private long known;
  private long rolledBackTo;

  EtcdFeed(
      Connection connection,
      EtcdOptions options,
      ProgressPolicy progress,
      KeyRange range,
      LongSupplier revision,
      long afterRevision,
      Consumer<EtcdFeed> whenClosed) {
    this.connection = connection;
    this.options = options;
    this.progress = progress;
    this.range = range;
    this.revision = revision;
    this.reached = afterRevision;
    this.whenClosed = whenClosed;
    resumeAtNanos = System.nanoTime();
    progressAtNanos = resumeAtNanos;
  }

  /** Opens the first session; to be called once, before the feed has a reader. */
  void begin() {
    session();
  }

  @Override
  public @Nullable Batch next(Duration timeout) throws InterruptedException {
    long end = System.nanoTime() + timeout.toNanos();
    while (true) {
      if (lost != null) {
        throw new StorageException.Compacted(lost.oldestRevision());
      }
      if (rolledBackTo > 0) {
        throw new StorageException.RolledBack(known, rolledBackTo);
      }
      WatchSession current = session();
      Batch batch = current == null ? pause(end) : read(current, end);
      if (batch != null) {
        return batch;
      }
      if (System.nanoTime() - end >= 0) {
        return null;
      }
    }
  }

  /**
   * The current session, also if it ended and has responses left; null before the next one is due.
   */
  private @Nullable WatchSession session() {
    lock.lock();
    try {
      checkOpen();
      if (session != null) {
        return session;
      }
    } finally {
      lock.unlock();
    }
    if (System.nanoTime() - resumeAtNanos < 0) {
      return null;
    }
    // outside of the lock: jetcd holds a lock of its own here and when it calls the session
    WatchSession opened =
        WatchSession.open(connection.link(), options, wide ? ALL_KEYS : range, reached);
    lock.lock();
    try {
      if (!closed) {
        session = opened;
        return opened;
      }
    } finally {
      lock.unlock();
    }
    opened.end(new WatchSession.End.Closed());
    throw closed();
  }

  private void checkOpen() {
    if (closed) {
      throw closed();
    }
  }

  private static StorageException closed() {
    return new StorageException.Closed("the feed was closed");
  }

  /** Waits for the time of the next session. */
  private @Nullable Batch pause(long end) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long now = System.nanoTime();
      long left = Math.min(end - now, resumeAtNanos - now);
      while (left > 0 && !closed) {
        left = closing.awaitNanos(left);
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Batch read(WatchSession current, long end) throws InterruptedException {
    long now = System.nanoTime();
    WatchResponse response = current.take(Math.min(end - now, untilTick(current, now)));
    if (response != null) {
      return batch(current, response);
    }
    WatchSession.End ended = current.ended();
    if (ended != null) {
      leave(current, ended);
    } else {
      tick(current);
    }
    return null;
  }

  private long untilTick(WatchSession current, long now) {
    return current.created()
        ? progressAtNanos - now
        : options.deadline().toNanos() - current.ageNanos();
  }

  /** Runs what is due without a response. */
  private void tick(WatchSession current) {
    if (!current.created()) {
      if (current.ageNanos() >= options.deadline().toNanos()) {
        current.end(
            new WatchSession.End.Broken(new IllegalStateException("etcd did not begin the watch")));
      }
    } else if (System.nanoTime() - progressAtNanos >= 0) {
      progressAtNanos = System.nanoTime() + options.progressInterval().toNanos();
      requestProgress(current);
    }
  }

  @Override
  public void requestProgress() {
    WatchSession current;
    lock.lock();
    try {
      current = session;
    } finally {
      lock.unlock();
    }
    if (current != null && current.created()) {
      requestProgress(current);
    }
  }

  private void requestProgress(WatchSession current) {
    long now = System.nanoTime();
    long asked = askedNanos.get();
    if (now - asked < LEAST_BETWEEN_NANOS || !askedNanos.compareAndSet(asked, now)) {
      return;
    }
    progress.look(current.link());
    if (progress.sound()) {
      current.requestProgress();
    } else if (progress.unsound() && !wide && !confined) {
      wide = true;
      current.end(new WatchSession.End.Closed());
    }
  }

  private @Nullable Batch batch(WatchSession current, WatchResponse response) {
    long told = response.getHeader().getRevision();
    if (response.isCreatedNotify()) {
      current.link().answered();
      failures = 0;
      if (told < known) {
        verify(current);
      }
      known = Math.max(known, told);
      return null;
    }
    known = Math.max(known, told);
    return response.getEvents().isEmpty() ? progress(response) : changes(current, response);
  }

  /** Whether etcd as a whole, and not one of its members, is behind what it has told. */
  private void verify(WatchSession current) {
    try {
      long newest = revision.getAsLong();
      if (newest < known) {
        current.end(new WatchSession.End.Closed());
        rolledBackTo = newest;
      }
    } catch (StorageException.Unavailable e) {
      // the next session verifies again
      current.end(new WatchSession.End.Broken(e));
    }
  }

  private @Nullable Batch progress(WatchResponse response) {
    long revision = response.getHeader().getRevision();
    if (revision <= reached || !progress.sound()) {
      return null;
    }
    reached = revision;
    return new Batch(List.of(), revision);
  }

  private @Nullable Batch changes(WatchSession current, WatchResponse response) {
    List<Change> changes = new ArrayList<>(response.getEvents().size());
    long last = reached;
    for (WatchEvent event : response.getEvents()) {
      long revision = event.getKeyValue().getModRevision();
      if (revision <= reached) {
        continue;
      }
      if (revision < last) {
        current.end(
            new WatchSession.End.Broken(
                new IllegalStateException("revision %d after %d".formatted(revision, last))));
        return null;
      }
      // a session of the range alone has no other keys
      if (!wide || range.contains(Wire.key(event))) {
        changes.add(Wire.change(event));
      }
      last = revision;
    }
    if (last == reached) {
      return null;
    }
    reached = last;
    progressAtNanos = System.nanoTime() + options.progressInterval().toNanos();
    return new Batch(changes, last);
  }

  /** Everything of {@code current} has been read. */
  private void leave(WatchSession current, WatchSession.End ended) {
    lock.lock();
    try {
      if (session == current) {
        session = null;
      }
    } finally {
      lock.unlock();
    }
    switch (ended) {
      case WatchSession.End.Overflow() -> resumeAtNanos = System.nanoTime();
      case WatchSession.End.Closed() -> resumeAtNanos = System.nanoTime();
      case WatchSession.End.Broken(CompactedException compacted) ->
          lost = new StorageException.Compacted(compacted.getCompactedRevision());
      case WatchSession.End.Broken(Throwable reason) -> broken(current, reason);
    }
  }

  private void broken(WatchSession current, Throwable reason) {
    if (!current.created()) {
      connection.notSent(current.link());
      if (wide) {
        wide = false;
        confined = Failures.isForbidden(reason);
      }
    }
    long pause = Math.min(LONGEST_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(failures, 10));
    failures++;
    resumeAtNanos = System.nanoTime() + ThreadLocalRandom.current().nextLong(pause / 2, pause);
    LOG.debugf("watch of etcd ended start=%s rev=%d: %s", range.start(), reached, reason);
  }

  /** How many changes wait for the reader. */
  int waitingChanges() {
    lock.lock();
    try {
      return session == null ? 0 : session.waitingChanges();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    WatchSession last;
    lock.lock();
    try {
      closed = true;
      last = session;
      session = null;
      closing.signalAll();
    } finally {
      lock.unlock();
    }
    if (last != null) {
      last.end(new WatchSession.End.Closed());
    }
    whenClosed.accept(this);
  }
}
