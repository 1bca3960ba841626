package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Change;
import dev.keelson.storage.Entry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recent history of a type: the events above the oldest revision, and the state at that
 * revision, from which the state at every later revision can be made. Guarded by the lock of its
 * cache.
 *
 * <p>Invariants: the window holds every event above {@link #oldest} in order, and {@code base} is
 * the state at {@link #oldest}.
 */
final class EventWindow {

  /**
   * One event in this number has the state after it, which takes a few kilobytes; the others are
   * computed on demand.
   */
  private static final int STATE_EVERY = 32;

  /**
   * The newest events keep what was derived from them, such as their JSON: watchers that are not
   * far behind share it.
   */
  static final int MOST_DERIVED = 1024;

  private record Dated(Instant when, long revision) {}

  private final InstantSource clock;
  private final Retention retention;
  private final EventRing events = new EventRing();
  private final Deque<Dated> ages = new ArrayDeque<>();
  private SnapshotTree base = SnapshotTree.EMPTY;
  private long oldest;
  private int eventsSinceState;

  /** The number of the first event; leaves room for events before it. */
  private long first = 1L << 40;

  EventWindow(InstantSource clock, Retention retention) {
    this.clock = clock;
    this.retention = retention;
  }

  /** Begins with a state that was read from the store at {@code revision}. */
  void start(SnapshotTree state, long revision) {
    base = state;
    oldest = revision;
  }

  /** Drops all events and the state. */
  void clear() {
    first += events.size();
    events.clear();
    ages.clear();
    base = SnapshotTree.EMPTY;
  }

  /** The oldest revision whose state is known. */
  long oldest() {
    return oldest;
  }

  int size() {
    return events.size();
  }

  /**
   * The number of the event at index 0: events are numbered in their order, and keep their numbers.
   */
  long first() {
    return first;
  }

  CacheEvent get(int index) {
    return events.get(index);
  }

  /** The index of the first event above {@code revision}; the size if there is none. */
  int after(long revision) {
    return events.after(revision);
  }

  /**
   * Appends an event, and drops events beyond the retention.
   *
   * @param state the state that the event led to
   */
  CacheEvent append(
      long revision, Bytes key, @Nullable Entry before, @Nullable Entry after, SnapshotTree state) {
    eventsSinceState = (eventsSinceState + 1) % STATE_EVERY;
    CacheEvent event =
        new CacheEvent(revision, key, before, after, eventsSinceState == 0 ? state : null);
    events.add(event);
    int old = events.size() - 1 - MOST_DERIVED;
    if (old >= 0) {
      events.get(old).dropDerived();
    }
    trim(revision);
    return event;
  }

  /**
   * Adds changes before the oldest revision.
   *
   * @param from the oldest revision afterwards
   * @param upTo the oldest revision so far
   * @param changes all changes above {@code from} up to {@code upTo}, in order
   * @return false, with nothing changed, if the oldest revision is another one, a previous value is
   *     not in the changes, or there is no room
   */
  boolean prepend(long from, long upTo, List<Change> changes) {
    @Nullable SnapshotTree state = upTo == oldest ? undo(changes) : null;
    if (state == null) {
      return false;
    }
    SnapshotTree before = state;
    List<CacheEvent> earlier = new ArrayList<>(changes.size());
    long weight = events.weight();
    for (Change change : changes) {
      Entry after = after(change);
      state = after == null ? state.without(change.key()) : state.with(after);
      CacheEvent event =
          new CacheEvent(
              change.revision(),
              change.key(),
              change.previous(),
              after,
              earlier.size() % STATE_EVERY == STATE_EVERY - 1 ? state : null);
      earlier.add(event);
      weight += event.weight();
    }
    if (events.size() + earlier.size() > retention.mostEvents() || weight > retention.mostBytes()) {
      return false;
    }
    events.addFirst(earlier);
    first -= earlier.size();
    base = before;
    oldest = from;
    return true;
  }

  /** The state before changes that led to the base; null if their previous values are missing. */
  private @Nullable SnapshotTree undo(List<Change> changes) {
    SnapshotTree state = base;
    for (Change change : changes.reversed()) {
      Entry after = after(change);
      Entry before = change.previous();
      boolean created = after != null && after.createRevision() == after.modRevision();
      if (revision(state.get(change.key())) != revision(after) || (before == null && !created)) {
        return null;
      }
      state = before == null ? state.without(change.key()) : state.with(before);
    }
    return state;
  }

  private static @Nullable Entry after(Change change) {
    return change instanceof Change.Put put ? put.entry() : null;
  }

  private static long revision(@Nullable Entry entry) {
    return entry == null ? 0 : entry.modRevision();
  }

  private void trim(long revision) {
    Instant now = clock.instant();
    if (ages.isEmpty() || ages.getLast().when.plusSeconds(1).isBefore(now)) {
      ages.add(new Dated(now, revision));
    }
    Instant expired = now.minus(retention.age());
    while (ages.size() > 1 && ages.getFirst().when.isBefore(expired)) {
      ages.removeFirst();
      long first = ages.getFirst().revision;
      while (events.size() > 1 && events.get(0).revision() < first) {
        dropOldest();
      }
    }
    while (events.size() > retention.mostEvents()
        || (events.weight() > retention.mostBytes() && events.size() > 1)) {
      dropOldest();
    }
  }

  private void dropOldest() {
    CacheEvent removed = events.removeFirst();
    first++;
    base = removed.appliedTo(base);
    oldest = removed.revision();
  }

  /**
   * Drops the events up to {@code revision}, as the store does when it is compacted.
   *
   * @param newest the newest state; without a revision of at least {@code revision} the oldest
   *     revision stays
   */
  void compact(long revision, Snapshot newest) {
    while (events.size() > 0 && events.get(0).revision() <= revision) {
      dropOldest();
    }
    if (revision > oldest && revision <= newest.revision()) {
      oldest = revision;
    }
    if (events.size() == 0) {
      // the same objects, without references to emptied slabs
      base = newest.state().objects();
    }
  }

  /** The state after the first {@code count} events. */
  SnapshotTree stateAfter(int count) {
    int from = count;
    while (from > 0 && !events.get(from - 1).hasState()) {
      from--;
    }
    SnapshotTree tree = base;
    for (int i = Math.max(0, from - 1); i < count; i++) {
      tree = events.get(i).appliedTo(tree);
    }
    return tree;
  }
}
