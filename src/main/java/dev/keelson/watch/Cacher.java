package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.Entry;
import dev.keelson.storage.KeyRange;
import dev.keelson.storage.RevisionedStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cache of one stored type: its newest state, its recent history and its watchers.
 *
 * <p>Safe for use by several threads.
 */
public final class Cacher implements CacheFigures {

  /*
   * States: COLD (nothing is known, changes are ignored), LOADING (one thread reads the store, changes are queued), READY. A reset
   * leads from anywhere to COLD.
   *
   * Why no change is lost or applied twice while loading: changes are queued from the moment that LOADING is set; the store is read
   * after that, at some revision L; so every change above L is in the queue (the feed delivers changes in order, and those that it
   * delivered before are at or below L). Those at or below L are in what was read and are dropped.
   *
   * Invariants: the newest state contains exactly the changes up to its revision; the cache's revision never runs ahead of the events
   * that it has applied. The newest state is published after its event is in the window and was offered to the watchers, so a reader
   * that has seen a revision cannot find the history or its watch behind it. Those of the window are in EventWindow.
   *
   * One lock guards the mutable state: the queue, the window, the watchers, the slabs, and the writes of `state` and `newest`, which
   * readers read without it. Lock order: the loader's lock, this lock, a watcher's lock. Wakers run outside all of them.
   */

  /** How long a consistent read waits for the feed before it reads from the store. */
  public static final Duration FRESHNESS_WAIT = Duration.ofMillis(500);

  private enum State {
    COLD,
    LOADING,
    READY
  }

  private final FeedProgress progress;
  private final Runnable follow;
  private final CacheLoader loader;
  private final HistoryLoader history;
  private final KeyRange keys;
  private final CacheMetrics.OfType metrics;

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Change> queued = new ArrayList<>();
  private final EventWindow window;
  private final Watchers watchers = new Watchers();
  private final Source source = new Source();
  private final IndexSelection selection = new IndexSelection();
  private Slabs slabs = new Slabs();
  private long loaded;
  private long compacted;
  private volatile State state = State.COLD;

  private volatile long bytes;

  private volatile Snapshot newest = new Snapshot(0, CacheState.EMPTY);

  /**
   * Creates a cache that is loaded on the first read.
   *
   * @param all the keys of all types
   * @param progress of the feed that calls {@link #apply}
   * @param follow starts the feed unless it runs
   */
  Cacher(
      KeyRange all,
      KeyRange keys,
      RevisionedStore store,
      FeedProgress progress,
      Runnable follow,
      InstantSource clock,
      Retention retention,
      CacheMetrics metrics) {
    this.keys = keys;
    this.progress = progress;
    this.follow = follow;
    this.window = new EventWindow(clock, retention);
    this.loader = new CacheLoader(store, keys, new LoadTarget());
    this.history = new HistoryLoader(store, all, keys, this::oldest, this::prepend);
    this.metrics = metrics.of(keys.start(), this);
  }

  @Override
  public long revision() {
    if (state != State.READY) {
      return 0;
    }
    long reached = progress.reached();
    return Math.max(newest.revision(), reached);
  }

  /** Whether the cache is fed by the feed of {@code progress}. */
  boolean follows(FeedProgress feed) {
    return progress == feed;
  }

  /** Whether the cache is loaded. */
  public boolean ready() {
    return state == State.READY;
  }

  /**
   * Starts to load the type from the store unless it is loading or loaded; does not wait. If that
   * fails, the next call starts again.
   */
  public void prepare() {
    loader.start();
  }

  /**
   * Returns the newest state of the cache, loading it if necessary; it may lag behind the store.
   *
   * @throws dev.keelson.storage.StorageException if it must be loaded and the store does not
   *     respond
   */
  public Snapshot any() {
    loader.load();
    // the feed's revision first: the state read after it includes that revision
    long reached = progress.reached();
    Snapshot known = newest;
    return reached > known.revision() ? new Snapshot(reached, known.state()) : known;
  }

  /**
   * Returns a state that includes every write answered before this call.
   *
   * @return empty if the feed does not reach it in time; the caller then reads from the store
   * @throws dev.keelson.storage.StorageException if the store does not respond
   */
  public Optional<Snapshot> fresh() throws InterruptedException {
    loader.load();
    boolean told = false;
    boolean reached = false;
    try {
      long newest = progress.storeRevision();
      told = true;
      Optional<Snapshot> state = atLeast(newest, FRESHNESS_WAIT);
      reached = state.isPresent();
      return state;
    } finally {
      metrics.readFresh(told, told && !reached);
    }
  }

  /**
   * Returns a state that is at least as new as {@code revision}, or empty if the cache does not
   * reach it in time.
   */
  public Optional<Snapshot> atLeast(long revision, Duration patience) throws InterruptedException {
    loader.load();
    long begin = System.nanoTime();
    boolean reached = progress.await(revision, patience) || newest.revision() >= revision;
    metrics.waited(System.nanoTime() - begin);
    return reached ? Optional.of(any()) : Optional.empty();
  }

  /**
   * Returns the state at exactly {@code revision}, or empty if it is before the history or not yet
   * reached.
   */
  public Optional<Snapshot> exactly(long revision) {
    loader.load();
    if (revision > revision()) {
      return Optional.empty();
    }
    lock.lock();
    try {
      if (state != State.READY || revision < oldestReadable()) {
        return Optional.empty();
      }
      int next = window.after(revision);
      if (next == window.size()) {
        return Optional.of(new Snapshot(revision, newest.state()));
      }
      return Optional.of(new Snapshot(revision, CacheState.of(window.stateAfter(next))));
    } finally {
      lock.unlock();
    }
  }

  /**
   * Watches a range after {@code revision}.
   *
   * @param range keys of this type
   * @param value if not null, only changes of objects with this value before or after are
   *     guaranteed to be delivered
   * @param wake runs when there is something to poll; must not block and must not call back
   * @return empty if the history does not reach back to that revision
   */
  public Optional<EventStream> watch(
      KeyRange range, @Nullable IndexValue value, long revision, Runnable wake) {
    loader.load();
    CacheWatcher watcher = new CacheWatcher(range, value, revision, wake, source);
    lock.lock();
    try {
      if (state != State.READY || revision < oldestReadable()) {
        return Optional.empty();
      }
      watcher.begin(window, window.after(revision));
      watchers.add(watcher);
      return Optional.of(watcher);
    } finally {
      lock.unlock();
    }
  }

  /** What a watcher needs of this cache. */
  private final class Source implements CacheWatcher.Source {

    @Override
    public long reached() {
      return revision();
    }

    @Override
    public void catchUp(CacheWatcher watcher) {
      lock.lock();
      try {
        if (state == State.READY) {
          watcher.catchUp(window);
        } else {
          watcher.giveUp();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void remove(CacheWatcher watcher) {
      lock.lock();
      try {
        watchers.remove(watcher);
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public int objects() {
    return newest.count(keys);
  }

  @Override
  public long bytes() {
    return bytes;
  }

  @Override
  public int events() {
    return locked(window::size);
  }

  private <T> T locked(Supplier<T> read) {
    lock.lock();
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  /** The number of watchers. */
  public int watchers() {
    return locked(watchers::count);
  }

  /**
   * The number of watchers that a change of an object concerns, in constant time.
   *
   * @param ranges those of all objects and of its namespace
   */
  public int watchers(Collection<KeyRange> ranges, Bytes key) {
    return locked(() -> watchers.count(ranges, key));
  }

  /** Extends the history back to a revision, if the store has it and it is not too long; blocks. */
  void extendHistory(long revision) throws InterruptedException {
    history.extend(revision);
  }

  /** The oldest revision of {@link #exactly} and {@link #watch}. */
  public long oldest() {
    return locked(this::oldestReadable);
  }

  /**
   * The window of a type without changes reaches back beyond the store's compaction; what may be
   * read must not depend on that.
   */
  private long oldestReadable() {
    return Math.max(window.oldest(), compacted);
  }

  /** Drops the history up to {@code revision}, as the store does. */
  void compact(long revision) {
    lock.lock();
    try {
      compacted = Math.max(compacted, revision);
      if (state == State.READY) {
        window.compact(revision, newest);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Applies changes of this type in order; collects the watchers with new events. */
  void apply(List<Change> changes, Set<CacheWatcher> awake) {
    metrics.told(changes.size());
    lock.lock();
    try {
      switch (state) {
        case COLD -> {}
        case LOADING -> queued.addAll(changes);
        case READY -> applyReady(changes, awake);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops the state and the history; ends the watchers.
   *
   * @param why {@code EXPIRED} if their clients must list again
   */
  void reset(EventStream.End why) {
    Set<CacheWatcher> ended = clear();
    ended.forEach(watcher -> watcher.end(why));
    ended.forEach(CacheWatcher::signal);
  }

  /** Drops the state and the history; the watchers get no further events. */
  void retire() {
    Set<CacheWatcher> unused = clear();
  }

  private Set<CacheWatcher> clear() {
    lock.lock();
    try {
      state = State.COLD;
      queued.clear();
      window.clear();
      slabs = new Slabs();
      newest = new Snapshot(0, CacheState.EMPTY);
      bytes = 0;
      selection.clear();
      return watchers.removeAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Applies changes; publishes the new state after all of them, since they may have one revision.
   */
  private void applyReady(List<Change> changes, Set<CacheWatcher> awake) {
    CacheState current = newest.state();
    long revision = newest.revision();
    int applied = 0;
    long grown = 0;
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
      current = slabs.emptySparse(current);
      revision = change.revision();
      window.append(revision, change.key(), before, after, current.objects());
      watchers.offerNewest(window, awake);
      grown += CacheEvent.size(after) - CacheEvent.size(before);
      applied++;
    }
    newest = new Snapshot(revision, current);
    long total = bytes + grown;
    bytes = total;
    metrics.applied(applied);
  }

  /**
   * Counts a lookup by an index value, and builds the index after repeated lookups in a type with
   * many objects.
   */
  public void countLookup(Index index) {
    Snapshot known = newest;
    if (state != State.READY || !selection.wants(index, known.state())) {
      return;
    }
    // scans all objects, so not under the lock; concurrent changes are in the window
    CacheState made = CacheState.of(known.state().objects()).with(index);
    lock.lock();
    try {
      if (state != State.READY || known.revision() < window.oldest() || known.revision() < loaded) {
        selection.remove(index);
        return;
      }
      Index dropped = selection.built(index);
      for (int i = window.after(known.revision()); i < window.size(); i++) {
        CacheEvent event = window.get(i);
        made = made.changed(event.before(), event.after());
      }
      Map<Index, SnapshotTree> indexes = new HashMap<>(newest.state().indexes());
      indexes.putAll(made.indexes());
      if (dropped != null) {
        indexes.remove(dropped);
      }
      newest =
          new Snapshot(
              newest.revision(), new CacheState(newest.state().objects(), Map.copyOf(indexes)));
    } finally {
      lock.unlock();
    }
  }

  private boolean prepend(long from, long upTo, List<Change> changes) {
    return locked(
        () -> state == State.READY && compacted <= from && window.prepend(from, upTo, changes));
  }

  /** The steps of loading that touch this cache's state. */
  private final class LoadTarget implements CacheLoader.Target {

    @Override
    public boolean ready() {
      return state == State.READY;
    }

    @Override
    public void begin() {
      follow.run();
      enter(State.LOADING);
    }

    @Override
    public void abort() {
      enter(State.COLD);
    }

    private void enter(State next) {
      lock.lock();
      try {
        queued.clear();
        state = next;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void finish(CacheLoader.Loaded read) {
      lock.lock();
      try {
        if (state != State.LOADING) {
          // reset in the meantime: the queue may have a gap
          return;
        }
        slabs = read.slabs();
        window.start(read.objects(), read.revision());
        loaded = read.revision();
        newest = new Snapshot(read.revision(), CacheState.of(read.objects()));
        bytes = read.objects().bytes();
        Set<CacheWatcher> none = new LinkedHashSet<>();
        applyReady(queued, none);
        queued.clear();
        state = State.READY;
        metrics.loaded();
      } finally {
        lock.unlock();
      }
    }
  }
}
