package dev.keelson.audit.delivery;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.AuditMetrics;
import dev.keelson.audit.AuditMode;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.EventWriter;
import dev.keelson.audit.event.Event;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Writes each event on the thread of its request, for writers that several threads may call. */
public final class BlockingSink implements EventSink {

  private final EventWriter writer;
  private final AuditMode mode;
  private final Losses losses;

  public BlockingSink(EventWriter writer, AuditMode mode, AuditMetrics metrics) {
    this.writer = writer;
    this.mode = mode;
    this.losses = new Losses(metrics, System::nanoTime);
  }

  @Override
  public Acceptance accept(Event event) {
    try {
      writer.write(List.of(event));
      return Acceptance.ACCEPTED;
    } catch (IOException | RuntimeException e) {
      losses.report(writer.name(), 1, String.valueOf(e.getMessage()));
      return mode == AuditMode.BLOCKING_STRICT ? Acceptance.REFUSED : Acceptance.ACCEPTED;
    }
  }

  @Override
  public void start() {
    // each event is written by the thread of its request
  }

  @Override
  public void stop(Duration grace) {
    writer.close();
  }
}
