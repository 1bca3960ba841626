package dev.keelson.audit.trail;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Holds the events of the trail. Several servers may share one. Every call blocks, may be made by
 * any thread, and fails with {@link TrailException.Unavailable} if the database does not answer in
 * time; a call that failed so may have taken effect.
 *
 * <p>Events have two orders: by time, in which they are searched, and by {@link Entry#position}, in
 * which they became visible. An event may become visible after later ones, since a server that
 * could not reach the database brings its events afterwards. Positions rise in the order of
 * commits, so that a reader that has seen a position misses nothing before it.
 */
public interface TrailStore extends AutoCloseable {

  /**
   * A stored event.
   *
   * @param id see {@link TrailId}
   * @param position positive
   * @param json the event of audit.k8s.io/v1 in UTF-8; not to be changed
   */
  record Entry(String id, long position, byte[] json) {}

  /**
   * Events in the order of their positions.
   *
   * @param position all selected events up to here have been returned; where to continue
   */
  record Tail(List<Entry> entries, long position) {

    public Tail {
      entries = List.copyOf(entries);
    }
  }

  /**
   * The positions that the store has.
   *
   * @param oldest of the first event that is left; 0 if there is none
   * @param newest of the last event that is visible; 0 if there is none
   */
  record Bounds(long oldest, long newest) {}

  /**
   * Stores events, all or none. Events that are stored already are skipped, so that a batch may be
   * repeated.
   *
   * @throws TrailException.Rejected if an event cannot be stored, whatever the state of the
   *     database
   */
  void append(List<TrailEvent> events) throws TrailException;

  /**
   * Returns the selected events with the newest first.
   *
   * @param before an identifier behind which the page begins, or a text that sorts behind all
   *     identifiers ({@link #NEWEST}) for the first page
   * @param limit the most events; positive
   */
  List<Entry> search(TrailQuery query, String before, int limit) throws TrailException;

  /** Behind every identifier: the first page of a search. */
  String NEWEST = "g";

  /** Returns one event, or empty. */
  Optional<Entry> find(String id) throws TrailException;

  /**
   * Returns the selected events that became visible behind a position, oldest first.
   *
   * @param limit the most events; positive
   */
  Tail tail(TrailQuery query, long after, int limit) throws TrailException;

  /** Returns the positions of the oldest and newest event. */
  Bounds bounds() throws TrailException;

  /**
   * Removes the events of the days, in UTC, that ended before a time. Removes in steps, so that
   * writers do not wait for long.
   */
  void removeBefore(Instant time) throws TrailException;

  /** Releases the connections; may be called twice. Later calls fail as unavailable. */
  @Override
  void close();
}
