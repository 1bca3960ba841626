package dev.keelson.bench;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.ChangeFeed;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.KeyRevision;
import dev.keelson.storage.Page;
import dev.keelson.storage.Read;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A store without a disk or a network, for benches of what is above it. Its first objects are
 * computed when they are read, so that they take no memory here; what is written is kept. It has no
 * history.
 */
final class SimulatedStore implements RevisionedStore {

  private static final long FIRST = 1000;

  private final String prefix;
  private final int objects;
  private final int size;
  private final AtomicLong revision = new AtomicLong(FIRST);
  private final Map<Bytes, Entry> written = new ConcurrentHashMap<>();
  private final List<Feed> feeds = new ArrayList<>();

  /**
   * A store of {@code objects} values of {@code size} bytes.
   *
   * @param prefix of their keys
   */
  SimulatedStore(String prefix, int objects, int size) {
    this.prefix = prefix;
    this.objects = objects;
    this.size = size;
  }

  /** The key of an object. */
  Bytes key(int number) {
    return Bytes.utf8(prefix + "%07d".formatted(number));
  }

  private Entry entry(int number) {
    Bytes key = key(number);
    Entry newer = written.get(key);
    return newer == null ? new Entry(key, Bytes.wrap(new byte[size]), 1, 1) : newer;
  }

  @Override
  public Page range(KeyRange range, long atRevision, int limit) {
    List<Entry> entries = new ArrayList<>();
    // the keys are in the order of their numbers
    int low = 0;
    int high = objects;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (key(middle).compareTo(range.start()) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    while (low < objects && entries.size() < limit && range.contains(key(low))) {
      entries.add(entry(low++));
    }
    boolean more = low < objects && range.contains(key(low));
    return new Page(entries, more, objects, revision.get());
  }

  /** Writes an object, whatever its revision is. */
  synchronized long put(int number, byte[] value) {
    Entry before = entry(number);
    Entry entry =
        new Entry(before.key(), Bytes.wrap(value), before.createRevision(), revision.get() + 1);
    written.put(entry.key(), entry);
    feeds.forEach(feed -> feed.changes.add(new Change.Put(entry, before)));
    return revision.incrementAndGet();
  }

  @Override
  public synchronized ChangeFeed feed(KeyRange range, long afterRevision) {
    Feed feed = new Feed();
    feeds.add(feed);
    return feed;
  }

  private static final class Feed implements ChangeFeed {
    private final BlockingQueue<Change> changes = new LinkedBlockingQueue<>();

    @Override
    public @Nullable Batch next(Duration timeout) throws InterruptedException {
      Change first = changes.poll(timeout.toNanos(), TimeUnit.NANOSECONDS);
      if (first == null) {
        return null;
      }
      List<Change> batch = new ArrayList<>();
      batch.add(first);
      changes.drainTo(batch, 999);
      return new Batch(batch, batch.getLast().revision());
    }

    @Override
    public void close() {
      changes.clear();
    }
  }

  @Override
  public long revision() {
    return revision.get();
  }

  @Override
  public long sizeBytes() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Read get(Bytes key, long atRevision) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<KeyRevision> history(Bytes key, long atRevision, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public WriteOutcome write(Write write) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void compact(long at) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long grantLease(Duration timeToLive) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
