package dev.keelson.storage.etcd;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Snapshot;
import dev.keelson.storage.SnapshotTarget;
import dev.keelson.storage.StorageException;
import dev.keelson.storage.Write;
import dev.keelson.storage.WriteOutcome;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.options.DeleteOption;
import io.etcd.jetcd.options.PutOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;

/**
 * A range of keys in etcd that is filled from a snapshot. The range must be empty, but for what an
 * interrupted copy has left. Keys get new revisions, all above {@code least}: etcd's revision rises
 * by one with each write and cannot be set, so that it is raised by writes.
 */
public final class EtcdCopy implements SnapshotTarget {

  /** Writes under way at the same time. */
  private static final int PARALLEL = 500;

  /** Revisions between two compactions while the revision is raised. */
  private static final int COMPACT_EVERY = 50_000;

  /** Ends of leases are rounded up to this, so that a store with many needs few. */
  private static final long LEASE_MILLIS = 60_000;

  private final EtcdStore store;
  private final InstantSource clock;
  private final KeyRange range;
  private final Bytes marker;
  private final Map<Long, Long> leases = new HashMap<>();

  /**
   * A copy that has not begun.
   *
   * @param store closed with the copy
   * @param clock the time by which leases end
   * @param range the keys that are copied
   * @param marker a key of the range that exists while the copy is incomplete
   */
  public EtcdCopy(EtcdStore store, InstantSource clock, KeyRange range, Bytes marker) {
    this.store = store;
    this.clock = clock;
    this.range = range;
    this.marker = marker;
  }

  /** How many keys the range holds that are not of an interrupted copy. */
  public long keys() {
    return interrupted() ? 0 : store.answer(range, EtcdStore.NEWEST, 1).getCount();
  }

  /** Whether the range holds what an interrupted copy has left. */
  public boolean interrupted() {
    return store.get(marker, EtcdStore.NEWEST).entry() != null;
  }

  /** etcd's revision. */
  public long revision() {
    return store.revision();
  }

  @Override
  public void begin(long least, LongConsumer raised) {
    if (keys() > 0) {
      throw new StorageException.Unavailable("etcd holds keys in the range of the copy", null);
    }
    mark();
    ByteSequence start = Wire.start(range);
    store.read(
        link -> link.kv.delete(start, DeleteOption.builder().withRange(Wire.end(range)).build()));
    mark();
    raise(least, raised);
  }

  /** Puts the marker, whatever it was. */
  private void mark() {
    ByteSequence key = Wire.bytes(marker);
    store.read(link -> link.kv.put(key, ByteSequence.EMPTY));
  }

  private void raise(long least, LongConsumer raised) {
    long reached = store.revision();
    long compacted = reached;
    ByteSequence key = Wire.bytes(marker);
    while (reached < least) {
      int writes = (int) Math.min(PARALLEL, least - reached);
      store.read(
          link -> {
            List<CompletableFuture<?>> puts = new ArrayList<>(writes);
            for (int i = 0; i < writes; i++) {
              puts.add(link.kv.put(key, ByteSequence.EMPTY));
            }
            return CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new));
          });
      reached = store.revision();
      if (reached - compacted >= COMPACT_EVERY) {
        store.compact(reached);
        compacted = reached;
      }
      raised.accept(reached);
    }
  }

  @Override
  public int write(List<Snapshot.Item> all) {
    // compact_rev_key, for one, is outside: each etcd has its own
    List<Snapshot.Item> items =
        all.stream().filter(item -> range.contains(item.entry().key())).toList();
    for (int from = 0; from < items.size(); from += PARALLEL) {
      List<Snapshot.Item> part = items.subList(from, Math.min(items.size(), from + PARALLEL));
      long[] lease = part.stream().mapToLong(item -> lease(item.expiresMillis())).toArray();
      store.read(link -> puts(link, part, lease));
    }
    return items.size();
  }

  /** A put of a known value may be repeated, so that it is safe as reads are. */
  private static CompletableFuture<Void> puts(Link link, List<Snapshot.Item> items, long[] lease) {
    List<CompletableFuture<?>> puts = new ArrayList<>(items.size());
    for (int i = 0; i < items.size(); i++) {
      if (lease[i] >= 0) {
        Entry entry = items.get(i).entry();
        PutOption option =
            lease[i] == 0 ? PutOption.DEFAULT : PutOption.builder().withLeaseId(lease[i]).build();
        puts.add(link.kv.put(Wire.bytes(entry.key()), Wire.bytes(entry.value()), option));
      }
    }
    return CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new));
  }

  /** A lease that ends then; 0 for none, -1 if it would have ended by now. */
  private long lease(long expiresMillis) {
    if (expiresMillis == Snapshot.Item.NEVER) {
      return 0;
    }
    long end = Math.ceilDiv(expiresMillis, LEASE_MILLIS) * LEASE_MILLIS;
    if (expiresMillis <= clock.millis()) {
      return -1;
    }
    return leases.computeIfAbsent(
        end, at -> store.grantLease(Duration.ofMillis(at - clock.millis())));
  }

  @Override
  public long complete() {
    Entry last = store.get(marker, EtcdStore.NEWEST).entry();
    if (last == null) {
      throw new StorageException.Unavailable(
          "another copy into this etcd has ended; run this one again", null);
    }
    return switch (store.write(Write.delete(marker, last.modRevision()))) {
      case WriteOutcome.Applied(long revision) -> {
        store.compact(revision);
        yield revision;
      }
      case WriteOutcome.Conflict _, WriteOutcome.Missing _, WriteOutcome.Guarded _ ->
          throw new StorageException.Unavailable("another copy into this etcd is under way", null);
    };
  }

  @Override
  public void close() {
    store.close();
  }
}
