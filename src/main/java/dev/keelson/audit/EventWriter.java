package dev.keelson.audit;

import dev.keelson.audit.event.Event;
import java.io.IOException;
import java.util.List;

/**
 * The raw end of a back end: a file, a webhook. Says nothing about buffers and modes, which {@link
 * EventSink}s add. Called by several threads only if its owner says so.
 */
public interface EventWriter extends AutoCloseable {

  /** The name of the back end in metrics and logs, for example {@code log}. */
  String name();

  /**
   * Writes events in order; blocks until they are written.
   *
   * @throws IOException if they are not; some of them may be
   */
  void write(List<Event> events) throws IOException;

  /** Releases what the writer holds; may be called twice. */
  @Override
  void close();
}
