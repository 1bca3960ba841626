package dev.keelson.watch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes of a range of keys, one after the other, none left out and none twice. One reader
 * polls; anybody may close.
 */
public interface EventStream extends AutoCloseable {

  /** Why no more events will come. */
  enum End {
    /** The reader was too slow. */
    LAGGED,
    /** The history that comes next was dropped; the reader must list again. */
    EXPIRED,
    /** The store cannot be followed now. */
    UNAVAILABLE,
    /** The reader or the server closed it. */
    CLOSED
  }

  /**
   * What a poll gives.
   *
   * @param events the next events, in order
   * @param revision every event of the range up to here has been given
   * @param end why nothing will come after these, or null
   */
  record Batch(List<CacheEvent> events, long revision, @Nullable End end) {}

  /**
   * Takes at most {@code most} events; never waits. After it has returned fewer, the reader is
   * woken when there are more.
   */
  Batch poll(int most);

  /** Whether the reader was too slow and has lost events; the end that a poll then tells. */
  boolean lagged();

  @Override
  void close();
}
