package dev.keelson.audit.trail;

import dev.keelson.audit.EventWriter;
import dev.keelson.audit.event.Event;
import java.io.IOException;
import java.util.List;

/** Writes events into the spool, or straight into the store. Safe for use by any thread. */
public final class TrailWriter implements EventWriter {

  /** Where rows go. */
  @FunctionalInterface
  public interface Target {
    void append(List<TrailEvent> events) throws IOException;
  }

  private final Target target;

  public TrailWriter(Target target) {
    this.target = target;
  }

  @Override
  public String name() {
    return "trail";
  }

  @Override
  public void write(List<Event> events) throws IOException {
    target.append(events.stream().map(TrailEvent::of).toList());
  }

  @Override
  public void close() {
    // spool and store belong to the sink
  }
}
