package dev.keelson.storage;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Several stores as one map of keys: each store but the first holds the keys with some prefixes,
 * the first one all others. Revisions are those of the single store, so what has no key is asked of
 * a {@linkplain #parts part}. A key that lies in a store that does not hold its prefix, such as an
 * object from before its type was moved, does not exist.
 */
public final class PartitionedStore implements RevisionedStore {

  /** The stores as they were given. */
  private final RevisionedStore first;

  private final Map<Bytes, RevisionedStore> others;

  private final RevisionedStore main;

  /** The parts by prefix; no prefix is one of another prefix. */
  private final NavigableMap<Bytes, RevisionedStore> byPrefix = new TreeMap<>();

  private final List<RevisionedStore> parts;

  /**
   * Joins stores.
   *
   * @param main holds every key that no prefix has
   * @param byPrefix the store of the keys with each prefix; no prefix begins with another one
   */
  public PartitionedStore(RevisionedStore main, Map<Bytes, RevisionedStore> byPrefix) {
    this.first = main;
    this.others = Map.copyOf(byPrefix);
    Map<RevisionedStore, RevisionedStore> restricted = new LinkedHashMap<>();
    this.main = new Part(main);
    byPrefix.forEach(
        (prefix, store) ->
            this.byPrefix.put(prefix, restricted.computeIfAbsent(store, any -> new Part(store))));
    List<RevisionedStore> all = new ArrayList<>(List.of(this.main));
    all.addAll(restricted.values());
    this.parts = List.copyOf(all);
  }

  /** The same keys in stores with a decorator around each. */
  public PartitionedStore decorated(UnaryOperator<RevisionedStore> decorator) {
    Map<RevisionedStore, RevisionedStore> made = new LinkedHashMap<>();
    Map<Bytes, RevisionedStore> byPrefix = new TreeMap<>();
    others.forEach((prefix, store) -> byPrefix.put(prefix, made.computeIfAbsent(store, decorator)));
    return new PartitionedStore(decorator.apply(first), byPrefix);
  }

  @Override
  public List<RevisionedStore> parts() {
    return parts;
  }

  @Override
  public RevisionedStore part(Bytes key) {
    return holder(key);
  }

  private RevisionedStore holder(Bytes key) {
    // a prefix sorts before every key that it has, and between the two are only such keys
    Map.@Nullable Entry<Bytes, RevisionedStore> before = byPrefix.floorEntry(key);
    return before != null && key.startsWith(before.getKey()) ? before.getValue() : main;
  }

  @Override
  public List<KeyRange> split(KeyRange range) {
    List<KeyRange> all = new ArrayList<>();
    Bytes start = range.start();
    for (Bytes prefix : byPrefix.keySet()) {
      KeyRange held = KeyRange.prefix(prefix);
      if (contains(held, range)) {
        return List.of(range);
      }
      if (range.contains(prefix)) {
        if (start.compareTo(prefix) < 0) {
          all.add(new KeyRange(start, prefix));
        }
        all.add(held);
        start = held.end();
      }
    }
    if (range.end().isEmpty() || start.compareTo(range.end()) < 0) {
      all.add(new KeyRange(start, range.end()));
    }
    return List.copyOf(all);
  }

  private static boolean contains(KeyRange outer, KeyRange inner) {
    return outer.contains(inner.start())
        && (outer.end().isEmpty()
            || (!inner.end().isEmpty() && inner.end().compareTo(outer.end()) <= 0));
  }

  /** The part that holds all of {@code range}. */
  private RevisionedStore holder(KeyRange range) {
    if (split(range).size() > 1) {
      throw new IllegalArgumentException(
          range + " is held by several stores, which have no revision in common");
    }
    return holder(range.start());
  }

  @Override
  public Read get(Bytes key, long atRevision) {
    return holder(key).get(key, atRevision);
  }

  @Override
  public Page range(KeyRange range, long atRevision, int limit) {
    return holder(range).range(range, atRevision, limit);
  }

  @Override
  public List<KeyRevision> history(Bytes key, long atRevision, int limit) {
    return holder(key).history(key, atRevision, limit);
  }

  @Override
  public WriteOutcome write(Write write) {
    RevisionedStore part = holder(write.key());
    if (write instanceof Write.Put put
        && put.guard() != null
        && holder(put.guard().key()) != part) {
      throw new IllegalArgumentException(
          "the guard of " + put.key() + " is in another store: " + put.guard().key());
    }
    return part.write(write);
  }

  @Override
  public boolean stale(Bytes key) {
    return holder(key).stale(key);
  }

  @Override
  public ChangeFeed feed(KeyRange range, long afterRevision) {
    return holder(range).feed(range, afterRevision);
  }

  @Override
  public long revision() {
    throw ofPart();
  }

  @Override
  public long sizeBytes() {
    throw ofPart();
  }

  @Override
  public void compact(long revision) {
    throw ofPart();
  }

  @Override
  public long grantLease(Duration timeToLive) {
    throw ofPart();
  }

  private static UnsupportedOperationException ofPart() {
    return new UnsupportedOperationException("several stores: call it on a part");
  }

  @Override
  public void close() {
    parts.forEach(RevisionedStore::close);
  }

  /** One of the stores, whose feeds leave out the keys that it does not hold. */
  private final class Part extends ForwardingStore {

    Part(RevisionedStore store) {
      super(store);
    }

    @Override
    public ChangeFeed feed(KeyRange range, long afterRevision) {
      ChangeFeed feed = super.feed(range, afterRevision);
      return PartitionedStore.this.split(range).size() == 1
          ? feed
          : new HeldChanges(feed, key -> holder(key) == this);
    }
  }
}
