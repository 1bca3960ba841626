package dev.keelson.storage.etcd;

import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Snapshot;
import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.GetResponse;
import io.etcd.jetcd.lease.LeaseTimeToLiveResponse;
import io.etcd.jetcd.options.LeaseOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The keys of a range in etcd at one revision. etcd must keep that revision until the last page:
 * its compaction ends the snapshot.
 */
public final class EtcdSnapshot implements Snapshot {

  private static final int ITEMS = 500;

  private final EtcdStore store;
  private final InstantSource clock;
  private final long revision;
  private final long count;
  private final Map<Long, Long> expiries = new HashMap<>();
  private KeyRange left;
  private boolean more = true;

  private EtcdSnapshot(EtcdStore store, InstantSource clock, KeyRange range, GetResponse first) {
    this.store = store;
    this.clock = clock;
    left = range;
    revision = first.getHeader().getRevision();
    count = first.getCount();
  }

  /**
   * Begins a snapshot of the newest state.
   *
   * @param store closed with the snapshot
   * @param clock the time by which the ends of leases are computed
   * @throws dev.keelson.storage.StorageException.Unavailable if etcd gave no answer
   */
  public static EtcdSnapshot open(EtcdStore store, InstantSource clock, KeyRange range) {
    return new EtcdSnapshot(store, clock, range, store.answer(range, EtcdStore.NEWEST, 1));
  }

  @Override
  public long revision() {
    return revision;
  }

  @Override
  public long count() {
    return count;
  }

  @Override
  public List<Item> next() {
    if (!more) {
      return List.of();
    }
    GetResponse answer = store.answer(left, revision, ITEMS);
    List<Item> items = new ArrayList<>(answer.getKvs().size());
    for (KeyValue kv : answer.getKvs()) {
      items.add(new Item(Wire.entry(kv), kv.getLease() == 0 ? Item.NEVER : expiry(kv.getLease())));
    }
    more = answer.isMore() && !items.isEmpty();
    if (more) {
      left = left.startingAfter(items.getLast().entry().key());
    }
    return items;
  }

  /** When the lease ends; a lease that has ended since the revision ends now. */
  private long expiry(long lease) {
    Long known = expiries.get(lease);
    if (known == null) {
      LeaseTimeToLiveResponse answer =
          store.read(link -> link.lease.timeToLive(lease, LeaseOption.DEFAULT));
      known = clock.millis() + Math.max(0, answer.getTTL()) * 1000;
      expiries.put(lease, known);
    }
    return known;
  }

  @Override
  public void close() {
    store.close();
  }
}
