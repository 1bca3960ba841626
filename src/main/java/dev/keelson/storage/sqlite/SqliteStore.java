package dev.keelson.storage.sqlite;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.KeyRevision;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A {@link RevisionedStore} in one SQLite file of this process's own.
 *
 * <p>Leases end by the clock that the store was opened with, also while it was closed: their keys
 * then go when it opens again.
 */
public final class SqliteStore implements RevisionedStore {

  /** As in etcd; about 285 years. */
  private static final long MOST_LEASE_SECONDS = 9_000_000_000L;

  private final SqliteOptions options;
  private final InstantSource clock;
  private final StoreFile file;
  private final WriteSession session;
  private final ReadPool readers;
  private final Writer writer;
  private final RecentChanges recent;
  private final Set<SqliteFeed> feeds = ConcurrentHashMap.newKeySet();
  private final AtomicLong newest;
  private final AtomicBoolean closed = new AtomicBoolean();
  private volatile long compacted;

  private SqliteStore(
      SqliteOptions options, InstantSource clock, StoreFile file, WriteSession session) {
    this.options = options;
    this.clock = clock;
    this.file = file;
    this.session = session;
    readers = new ReadPool(file, options);
    newest = new AtomicLong(session.committed().revision());
    compacted = session.committed().compacted();
    recent = new RecentChanges(newest.get());
    writer = new Writer(file, session, options, clock, this::committed);
  }

  /**
   * Opens the file, makes it if there is none, and starts the writer.
   *
   * @param clock the time by which leases expire
   * @throws StorageException.Unavailable if another process has the file, or it is foreign,
   *     damaged, from a newer program, or cannot be written; the message says which
   */
  public static SqliteStore open(SqliteOptions options, InstantSource clock) {
    StoreFile file = StoreFile.open(options);
    Connection connection = null;
    try {
      connection = file.openForWriting();
      SqliteStore store = new SqliteStore(options, clock, file, new WriteSession(connection));
      store.writer.start();
      return store;
    } catch (SQLException e) {
      StoreFile.closeAfter(e, connection);
      StoreFile.closeAfter(e, file);
      throw Failures.unavailable("cannot open the store " + options.file(), e);
    } catch (RuntimeException | Error e) {
      StoreFile.closeAfter(e, connection);
      StoreFile.closeAfter(e, file);
      throw e;
    }
  }

  /** By the writer, after each commit and before anyone is answered. */
  private void committed(List<Change> changes, WriteSession.State state) {
    newest.accumulateAndGet(state.revision(), Math::max);
    compacted = state.compacted();
    if (!changes.isEmpty()) {
      recent.publish(changes);
    }
  }

  @Override
  public Read get(Bytes key, long atRevision) {
    Read read = readers.read(reader -> reader.get(key, atRevision));
    observed(read.revision());
    return read;
  }

  @Override
  public Page range(KeyRange range, long atRevision, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, not " + limit);
    }
    Page page = readers.read(reader -> reader.range(range, atRevision, limit));
    observed(page.revision());
    return page;
  }

  @Override
  public List<KeyRevision> history(Bytes key, long atRevision, int limit) {
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, not " + limit);
    }
    return readers.read(reader -> reader.history(key, atRevision, limit));
  }

  /**
   * A read can see a commit before the writer has published it. After such a read, {@link
   * #revision} must not return an older one.
   */
  private void observed(long revision) {
    if (revision > newest.get()) {
      newest.accumulateAndGet(revision, Math::max);
    }
  }

  @Override
  public WriteOutcome write(Write write) {
    int bytes = write.key().length() + (write instanceof Write.Put put ? put.value().length() : 0);
    if (bytes > options.maxRequestBytes()) {
      throw StorageException.TooLarge.of(bytes, options.maxRequestBytes());
    }
    if (write.key().isEmpty()) {
      throw new IllegalArgumentException("a key must not be empty");
    }
    return writer.run(step -> step.write(write), bytes);
  }

  @Override
  public long revision() {
    if (closed.get()) {
      throw new StorageException.Closed("the store was closed");
    }
    return newest.get();
  }

  @Override
  public ChangeFeed feed(KeyRange range, long afterRevision) {
    if (afterRevision < 1) {
      throw new IllegalArgumentException("a feed begins after revision 1 or later");
    }
    SqliteFeed feed =
        new SqliteFeed(recent, readers, range, afterRevision, compacted, feeds::remove);
    feeds.add(feed);
    if (closed.get()) {
      feed.close();
    }
    return feed;
  }

  @Override
  public void compact(long revision) {
    writer.run(
        step -> {
          step.compact(revision);
          return revision;
        },
        0);
  }

  @Override
  public long grantLease(Duration timeToLive) {
    long whole = timeToLive.toSeconds() + (timeToLive.toNanosPart() == 0 ? 0 : 1);
    long seconds = Math.clamp(whole, 1, MOST_LEASE_SECONDS);
    return writer.run(
        step -> {
          long expires = clock.millis() + seconds * 1000;
          long lease = step.grantLease(expires);
          writer.leaseGranted(expires);
          return lease;
        },
        0);
  }

  @Override
  public long sizeBytes() {
    try {
      return Files.size(options.file());
    } catch (IOException e) {
      throw new StorageException.Unavailable("cannot read the size of " + options.file(), e);
    }
  }

  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    feeds.forEach(SqliteFeed::close);
    try (file;
        session;
        readers) {
      writer.stop();
    } catch (SQLException e) {
      throw Failures.unavailable("cannot close the store " + options.file(), e);
    }
  }
}
