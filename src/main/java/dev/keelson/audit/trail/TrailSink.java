package dev.keelson.audit.trail;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.event.Event;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The trail as a back end: a sink of its mode in front of the spool, and the forwarder behind it.
 * In mode blocking-strict there is no spool: a request waits until the store has its event.
 */
public final class TrailSink implements EventSink {

  /** So many events are brought into the store by one call; PostgreSQL gains nothing by more. */
  private static final int FORWARDED_AT_ONCE = 1000;

  private final EventSink front;
  private final TrailStore store;
  private final @Nullable Spool spool;
  private final @Nullable Forwarder forwarder;
  private final TrailRetention retention;

  /**
   * A trail that is not started.
   *
   * @param front writes to the spool, or to the store if there is no spool
   * @param spool null in mode blocking-strict
   */
  public TrailSink(
      EventSink front,
      TrailStore store,
      @Nullable Spool spool,
      TrailRetention retention,
      AuditMetrics metrics) {
    this.front = front;
    this.store = store;
    this.spool = spool;
    this.retention = retention;
    this.forwarder =
        spool == null
            ? null
            : new Forwarder(
                spool,
                store,
                FORWARDED_AT_ONCE,
                metrics,
                () -> ThreadLocalRandom.current().nextDouble());
  }

  @Override
  public Acceptance accept(Event event) {
    return front.accept(event);
  }

  @Override
  public void start() {
    front.start();
    if (forwarder != null) {
      forwarder.start();
    }
    retention.start();
  }

  @Override
  public void stop(Duration grace) {
    long end = System.nanoTime() + grace.toNanos();
    retention.stop();
    front.stop(grace);
    if (forwarder != null) {
      forwarder.stop(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
    }
    if (spool != null) {
      spool.close();
    }
    store.close();
  }
}
