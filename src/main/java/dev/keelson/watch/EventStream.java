package dev.keelson.watch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a key range in order, without gaps or duplicates. One reader polls; any thread may
 * close.
 */
public interface EventStream extends AutoCloseable {

  /** The reason of the end of a stream. */
  enum End {
    /** The reader was too slow. */
    LAGGED,
    /** The next events are no longer in the history; the reader must list again. */
    EXPIRED,
    /** The feed of the store failed. */
    UNAVAILABLE,
    /** The reader or the server closed it. */
    CLOSED
  }

  /**
   * The result of a poll.
   *
   * @param events the next events in order
   * @param revision all events of the range up to this revision have been returned
   * @param end the end of the stream after these events, or null
   */
  record Batch(List<CacheEvent> events, long revision, @Nullable End end) {}

  /**
   * Polls at most {@code most} events; never blocks. If it returns fewer, the reader is woken when
   * there are more.
   */
  Batch poll(int most);

  /** Whether the reader was too slow and lost events, as the next poll reports. */
  boolean lagged();

  @Override
  void close();
}
