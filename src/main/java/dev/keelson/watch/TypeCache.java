package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.Page;
import dev.keelson.storage.RevisionedStore;
import dev.keelson.storage.StorageException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one stored type: their newest state, their recent history, and the watchers.
 *
 * <p>Safe for use by several threads.
 */
public final class TypeCache {

  /*
   * States: COLD (nothing is known, changes are passed over), LOADING (one thread reads the store, changes are put aside), READY. A
   * reset leads from anywhere to COLD.
   *
   * Why nothing is lost or doubled while loading: changes are put aside from the moment that LOADING is set; the store is read after
   * that, at some revision L; so every change above L is among those put aside (the feed tells changes in order, and those that it
   * had told before are at or below L). Those at or below L are in what was read and are dropped.
   *
   * Invariants: the newest state contains exactly the changes up to its revision; the history holds every change above `floor` in
   * order; `base` is the state at `floor`. The newest state is published after its event is in the history and was offered to the
   * watchers, so a reader that has seen a revision cannot find the history or its watch behind it.
   *
   * Lock order: this cache's lock, then a subscription's. Wakers run outside both.
   */

  private static final Logger LOG = Logger.getLogger(TypeCache.class);

  /** Few enough for an answer of the store to be garbage before the next ones come. */
  private static final int LOAD_PAGE = 1_000;

  /**
   * One event in so many keeps the state that it led to, which has a few kilobytes of its own; the
   * states between are made when they are asked for.
   */
  private static final int STATE_EVERY = 32;

  /**
   * How much history is kept, of each type. What is older is read from the store, which takes
   * longer and is the same to clients.
   *
   * @param mostBytes about so much memory, in bytes
   */
  public record Retention(Duration age, int mostEvents, long mostBytes) {
    /** Five minutes, and not more than a hundred thousand events or 128 MiB. */
    public static final Retention DEFAULT =
        new Retention(Duration.ofMinutes(5), 102_400, 128L << 20);
  }

  private enum State {
    COLD,
    LOADING,
    READY
  }

  private record Dated(Instant when, long revision) {}

  private final KeyRange keys;
  private final RevisionedStore store;
  private final WatchCache feed;
  private final InstantSource clock;
  private final Retention retention;

  private final ReentrantLock lock = new ReentrantLock();
  private final ReentrantLock loading = new ReentrantLock();
  private final AtomicBoolean preparing = new AtomicBoolean();
  private final List<Change> aside = new ArrayList<>();
  private final History history = new History();
  private final java.util.ArrayDeque<Dated> ages = new java.util.ArrayDeque<>();
  private final Set<Subscription> wide = new LinkedHashSet<>();
  private final Map<Bytes, Set<Subscription>> narrow = new HashMap<>();
  private final Map<Index, Map<String, Set<Subscription>>> chosen = new HashMap<>();
  private final Indexing indexing = new Indexing();
  private Slabs slabs = new Slabs();
  private SnapshotTree base = SnapshotTree.EMPTY;
  private long floor;
  private long loaded;
  private int eventsSinceState;
  private volatile State state = State.COLD;
  private volatile Snapshot newest = new Snapshot(0, TypeState.EMPTY);

  TypeCache(
      KeyRange keys,
      RevisionedStore store,
      WatchCache feed,
      InstantSource clock,
      Retention retention) {
    this.keys = keys;
    this.store = store;
    this.feed = feed;
    this.clock = clock;
    this.retention = retention;
  }

  /** The revision up to which the newest state is complete; 0 while the type is not loaded. */
  public long revision() {
    if (state != State.READY) {
      return 0;
    }
    long reached = feed.reached();
    return Math.max(newest.revision(), reached);
  }

  /** Whether reads can be answered from memory. */
  public boolean ready() {
    return state == State.READY;
  }

  /**
   * Begins to read the type from the store if nobody has yet; does not wait for that. If the store
   * does not answer, whoever calls next begins anew.
   */
  public void prepare() {
    if (state != State.COLD || !preparing.compareAndSet(false, true)) {
      return;
    }
    Thread.ofVirtual()
        .name("watch-cache-load")
        .start(
            () -> {
              try {
                load();
              } catch (StorageException e) {
                LOG.debugf("event=cache-not-loaded keys=%s error=%s", keys, e.getMessage());
              } finally {
                preparing.set(false);
              }
            });
  }

  /**
   * The newest state that the cache has, loaded from the store if need be; it may be behind the
   * store by what is on its way.
   *
   * @throws dev.keelson.storage.StorageException if it has to be loaded and the store does not
   *     answer
   */
  public Snapshot any() {
    load();
    // the feed's revision first: what it has reached is in the state that is read after it
    long reached = feed.reached();
    Snapshot known = newest;
    return reached > known.revision() ? new Snapshot(reached, known.state()) : known;
  }

  /**
   * A state that shows every write that was answered before this call.
   *
   * @return empty if the feed does not get there in time; then the store is to be asked
   */
  public Optional<Snapshot> fresh() throws InterruptedException {
    load();
    return atLeast(feed.storeRevision(), WatchCache.FRESHNESS_WAIT);
  }

  /**
   * A state that is at least as new as {@code revision}, or empty if the cache does not get there
   * in time.
   */
  public Optional<Snapshot> atLeast(long revision, Duration patience) throws InterruptedException {
    load();
    return feed.await(revision, patience) || newest.revision() >= revision
        ? Optional.of(any())
        : Optional.empty();
  }

  /**
   * The state at exactly {@code revision}, or empty if the history does not reach back to it, or it
   * has not been reached.
   */
  public Optional<Snapshot> exactly(long revision) {
    load();
    if (revision > revision()) {
      return Optional.empty();
    }
    lock.lock();
    try {
      if (state != State.READY || revision < floor) {
        return Optional.empty();
      }
      int next = history.after(revision);
      if (next == history.size()) {
        return Optional.of(new Snapshot(revision, newest.state()));
      }
      return Optional.of(new Snapshot(revision, TypeState.of(stateAfter(next))));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Watches a range from just after {@code revision}.
   *
   * @param range keys of this type
   * @param value if given, only changes of objects that had this value or have it then are sure to
   *     be told; others may be
   * @param wake is run when there is something to poll; must not block and must not call back
   * @return empty if the history does not reach back to that revision
   */
  public Optional<EventStream> watch(
      KeyRange range, @Nullable Chosen value, long revision, Runnable wake) {
    load();
    Subscription subscription = new Subscription(this, range, value, revision, wake);
    lock.lock();
    try {
      if (state != State.READY || revision < floor) {
        return Optional.empty();
      }
      for (int i = history.after(revision); i < history.size(); i++) {
        CacheEvent event = history.get(i);
        if (range.contains(event.key())) {
          subscription.offer(event);
        }
      }
      add(subscription);
      return Optional.of(subscription);
    } finally {
      lock.unlock();
    }
  }

  /** How many watchers there are. */
  public int watchers() {
    lock.lock();
    try {
      int count = wide.size();
      for (Set<Subscription> some : narrow.values()) {
        count += some.size();
      }
      for (Map<String, Set<Subscription>> ofIndex : chosen.values()) {
        for (Set<Subscription> some : ofIndex.values()) {
          count += some.size();
        }
      }
      return count;
    } finally {
      lock.unlock();
    }
  }

  /** The oldest revision that {@link #exactly} and {@link #watch} can begin at. */
  public long oldest() {
    lock.lock();
    try {
      return floor;
    } finally {
      lock.unlock();
    }
  }

  /** Forgets the history before {@code revision}, as the store does. */
  void compact(long revision) {
    lock.lock();
    try {
      while (history.size() > 0 && history.get(0).revision() <= revision) {
        forgetOldest();
      }
      if (state == State.READY && revision > floor && revision <= newest.revision()) {
        floor = revision;
      }
      if (history.size() == 0) {
        // the same objects, but not in slabs that have been emptied since
        base = newest.state().objects();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Takes changes of this type, in order; collects the watchers that have something to read. */
  void apply(List<Change> changes, Set<Subscription> awake) {
    lock.lock();
    try {
      switch (state) {
        case COLD -> {}
        case LOADING -> aside.addAll(changes);
        case READY -> applyReady(changes, awake);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Forgets everything; watchers are ended and told to begin anew. */
  void reset() {
    Set<Subscription> ended;
    lock.lock();
    try {
      state = State.COLD;
      aside.clear();
      history.clear();
      ages.clear();
      base = SnapshotTree.EMPTY;
      slabs = new Slabs();
      newest = new Snapshot(0, TypeState.EMPTY);
      ended = new LinkedHashSet<>(wide);
      narrow.values().forEach(ended::addAll);
      chosen.values().forEach(ofIndex -> ofIndex.values().forEach(ended::addAll));
      wide.clear();
      narrow.clear();
      chosen.clear();
      indexing.forget();
    } finally {
      lock.unlock();
    }
    ended.forEach(subscription -> subscription.end(EventStream.End.EXPIRED));
    ended.forEach(Subscription::signal);
  }

  void remove(Subscription subscription) {
    lock.lock();
    try {
      Bytes key = narrowKey(subscription.range());
      Chosen value = subscription.chosen();
      if (key != null) {
        remove(narrow, key, subscription);
      } else if (value != null) {
        Map<String, Set<Subscription>> ofIndex = chosen.get(value.index());
        if (ofIndex != null) {
          remove(ofIndex, value.value(), subscription);
          if (ofIndex.isEmpty()) {
            chosen.remove(value.index());
          }
        }
      } else {
        wide.remove(subscription);
      }
    } finally {
      lock.unlock();
    }
  }

  private static <K> void remove(Map<K, Set<Subscription>> all, K key, Subscription subscription) {
    Set<Subscription> same = all.get(key);
    if (same != null) {
      same.remove(subscription);
      if (same.isEmpty()) {
        all.remove(key);
      }
    }
  }

  private void add(Subscription subscription) {
    Bytes key = narrowKey(subscription.range());
    Chosen value = subscription.chosen();
    if (key != null) {
      narrow.computeIfAbsent(key, k -> new LinkedHashSet<>()).add(subscription);
    } else if (value != null) {
      chosen
          .computeIfAbsent(value.index(), index -> new HashMap<>())
          .computeIfAbsent(value.value(), k -> new LinkedHashSet<>())
          .add(subscription);
    } else {
      wide.add(subscription);
    }
  }

  /**
   * The key of a watch of one object, which no other object's changes need to wake; null for wider
   * ones.
   */
  private static @Nullable Bytes narrowKey(KeyRange range) {
    return range.equals(KeyRange.single(range.start())) ? range.start() : null;
  }

  /**
   * Applies changes; the new state is published when all of them are in it, since they may be parts
   * of one revision.
   */
  private void applyReady(List<Change> changes, Set<Subscription> awake) {
    TypeState current = newest.state();
    long revision = newest.revision();
    for (Change change : changes) {
      if (change.revision() <= loaded) {
        continue;
      }
      Entry before = current.objects().get(change.key());
      Entry after = change instanceof Change.Put put ? slabs.keep(put.entry()) : null;
      if (before == null && after == null) {
        continue;
      }
      current = current.changed(before, after);
      if (before != null) {
        slabs.release(before);
      }
      current = withoutSparse(current);
      revision = change.revision();
      eventsSinceState = (eventsSinceState + 1) % STATE_EVERY;
      SnapshotTree kept = eventsSinceState == 0 ? current.objects() : null;
      CacheEvent event = new CacheEvent(revision, change.key(), before, after, kept);
      history.add(event);
      trim(revision);
      offer(event, wide, awake);
      Set<Subscription> same = narrow.get(change.key());
      if (same != null) {
        offer(event, same, awake);
      }
      chosen.forEach((index, byValue) -> offer(event, index, byValue, awake));
    }
    newest = new Snapshot(revision, current);
  }

  /** The state after the first {@code events} of the history. */
  private SnapshotTree stateAfter(int events) {
    int from = events;
    while (from > 0 && !history.get(from - 1).hasState()) {
      from--;
    }
    SnapshotTree tree = base;
    for (int i = Math.max(0, from - 1); i < events; i++) {
      tree = history.get(i).appliedTo(tree);
    }
    return tree;
  }

  /** The same state with nothing in slabs that are mostly left. */
  private TypeState withoutSparse(TypeState state) {
    TypeState moved = state;
    for (Slabs.Slab sparse = slabs.takeSparse(); sparse != null; sparse = slabs.takeSparse()) {
      for (Bytes key : sparse.keys()) {
        Entry there = moved.objects().get(key);
        if (there != null && sparse.holds(there)) {
          moved = moved.changed(there, slabs.keep(there));
          slabs.release(there);
        }
      }
    }
    return moved;
  }

  /** Offers a change to those who watch the value that the object had, and the one that it has. */
  private static void offer(
      CacheEvent event,
      Index index,
      Map<String, Set<Subscription>> byValue,
      Set<Subscription> awake) {
    String before = index.valueOf(event.before());
    String after = index.valueOf(event.after());
    if (before != null) {
      offer(event, byValue.getOrDefault(before, Set.of()), awake);
    }
    if (after != null && !after.equals(before)) {
      offer(event, byValue.getOrDefault(after, Set.of()), awake);
    }
  }

  /**
   * Notes that objects are looked for by a value, and makes the index when that pays: when it
   * happens again in a type with many objects.
   */
  public void looksFor(Index index) {
    Snapshot known = newest;
    if (state != State.READY || !indexing.wants(index, known.state())) {
      return;
    }
    // reads every object, so not under the lock; what changes meanwhile is in the history
    TypeState made = TypeState.of(known.state().objects()).with(index);
    lock.lock();
    try {
      if (state != State.READY || known.revision() < floor || known.revision() < loaded) {
        indexing.forget(index);
        return;
      }
      Index dropped = indexing.made(index);
      for (int i = history.after(known.revision()); i < history.size(); i++) {
        CacheEvent event = history.get(i);
        made = made.changed(event.before(), event.after());
      }
      Map<Index, SnapshotTree> indexes = new HashMap<>(newest.state().indexes());
      indexes.putAll(made.indexes());
      if (dropped != null) {
        indexes.remove(dropped);
      }
      newest =
          new Snapshot(
              newest.revision(), new TypeState(newest.state().objects(), Map.copyOf(indexes)));
    } finally {
      lock.unlock();
    }
  }

  private static void offer(CacheEvent event, Set<Subscription> watchers, Set<Subscription> awake) {
    for (Subscription subscription : watchers) {
      if (subscription.range().contains(event.key())) {
        subscription.offer(event);
        awake.add(subscription);
      }
    }
  }

  /** Drops what is older than it needs to be kept, and what is too much. */
  private void trim(long revision) {
    Instant now = clock.instant();
    if (ages.isEmpty() || ages.getLast().when.plusSeconds(1).isBefore(now)) {
      ages.add(new Dated(now, revision));
    }
    Instant oldest = now.minus(retention.age());
    while (ages.size() > 1 && ages.getFirst().when.isBefore(oldest)) {
      ages.removeFirst();
      long kept = ages.getFirst().revision;
      while (history.size() > 1 && history.get(0).revision() < kept) {
        forgetOldest();
      }
    }
    while (history.size() > retention.mostEvents()
        || (history.weight() > retention.mostBytes() && history.size() > 1)) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    CacheEvent forgotten = history.removeFirst();
    base = forgotten.appliedTo(base);
    floor = forgotten.revision();
  }

  /** Reads the type from the store unless it is loaded; one thread does, the others wait for it. */
  private void load() {
    if (state == State.READY) {
      return;
    }
    loading.lock();
    try {
      while (state != State.READY) {
        feed.ensureRunning();
        loadOnce();
      }
    } finally {
      loading.unlock();
    }
  }

  private void loadOnce() {
    lock.lock();
    try {
      aside.clear();
      state = State.LOADING;
    } finally {
      lock.unlock();
    }
    List<Entry> entries = new ArrayList<>();
    Slabs into = new Slabs();
    long revision;
    try {
      revision = read(entries, into);
    } catch (RuntimeException e) {
      lock.lock();
      try {
        state = State.COLD;
        aside.clear();
      } finally {
        lock.unlock();
      }
      throw e;
    }
    lock.lock();
    try {
      if (state != State.LOADING) {
        // reset meanwhile: what was put aside may have a gap
        return;
      }
      slabs = into;
      base = SnapshotTree.ofSorted(entries);
      floor = revision;
      loaded = revision;
      newest = new Snapshot(revision, TypeState.of(base));
      Set<Subscription> none = new LinkedHashSet<>();
      applyReady(aside, none);
      aside.clear();
      state = State.READY;
    } finally {
      lock.unlock();
    }
  }

  private long read(List<Entry> entries, Slabs into) {
    KeyRange rest = keys;
    long revision = RevisionedStore.NEWEST;
    while (true) {
      Page page = store.range(rest, revision, LOAD_PAGE);
      page.entries().forEach(entry -> entries.add(into.keep(entry)));
      revision = page.revision();
      if (!page.more() || page.entries().isEmpty()) {
        return revision;
      }
      rest = rest.startingAfter(page.entries().getLast().key());
    }
  }
}
