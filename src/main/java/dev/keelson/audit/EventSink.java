package dev.keelson.audit;

import dev.keelson.audit.event.Event;
import java.time.Duration;

/**
 * Takes events in the durability of an {@link AuditMode}. Safe for use by any thread.
 *
 * <p>Losses are counted and logged by the sink; callers look at the acceptance only.
 */
public interface EventSink {

  /** Takes an event; blocks until it is stored if the mode is a blocking one. */
  Acceptance accept(Event event);

  /** Starts the sink's threads, if it has any; called once, before the first event. */
  void start();

  /**
   * Writes what is buffered and releases everything; may be called twice. Later events are lost.
   *
   * @param grace how long writing may take; what is left then is dropped and counted
   */
  void stop(Duration grace);
}
