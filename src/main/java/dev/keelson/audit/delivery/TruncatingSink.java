package dev.keelson.audit.delivery;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.event.Event;
import dev.keelson.audit.event.Level;
import java.time.Duration;

/**
 * Bounds the size of events: larger ones lose their request and response object, and are dropped
 * and counted if they are still too large (source: apiserver, plugin/audit/truncate).
 */
public final class TruncatingSink implements EventSink {

  private static final String PLUGIN = "truncate";

  private final EventSink next;
  private final long maxEventSize;
  private final Losses losses;

  /**
   * A bound before {@code next}.
   *
   * @param maxEventSize bytes
   */
  public TruncatingSink(EventSink next, long maxEventSize, AuditMetrics metrics) {
    this.next = next;
    this.maxEventSize = maxEventSize;
    this.losses = new Losses(metrics, System::nanoTime);
  }

  @Override
  public Acceptance accept(Event event) {
    Event sent = event;
    if (sent.size() > maxEventSize && sent.fields().level().atLeast(Level.REQUEST)) {
      sent = sent.truncated();
    }
    if (sent.size() > maxEventSize) {
      losses.report(PLUGIN, 1, "event is too large even after truncating");
      return Acceptance.ACCEPTED;
    }
    return next.accept(sent);
  }

  @Override
  public void start() {
    next.start();
  }

  @Override
  public void stop(Duration grace) {
    next.stop(grace);
  }
}
