package dev.keelson.watch;

import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
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

  private record Dated(Instant when, long revision) {}

  private final InstantSource clock;
  private final Retention retention;
  private final EventRing events = new EventRing();
  private final Deque<Dated> ages = new ArrayDeque<>();
  private SnapshotTree base = SnapshotTree.EMPTY;
  private long oldest;
  private int eventsSinceState;

  /** How many events were dropped since the window exists. */
  private long dropped;

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
    dropped += events.size();
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
   * The number of the event at index 0: events are numbered in the order in which they were
   * appended.
   */
  long first() {
    return dropped;
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
    trim(revision);
    return event;
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
    CacheEvent first = events.removeFirst();
    dropped++;
    base = first.appliedTo(base);
    oldest = first.revision();
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
