package dev.keelson.audit.delivery;

import dev.keelson.audit.Acceptance;
import dev.keelson.audit.EventSink;
import dev.keelson.audit.event.Event;
import java.time.Duration;
import java.util.List;

/** Hands every event to each of several sinks; refused if one of them refuses. */
public record UnionSink(List<EventSink> sinks) implements EventSink {

  public UnionSink {
    sinks = List.copyOf(sinks);
  }

  @Override
  public Acceptance accept(Event event) {
    Acceptance acceptance = Acceptance.ACCEPTED;
    for (EventSink sink : sinks) {
      acceptance = acceptance.and(sink.accept(event));
    }
    return acceptance;
  }

  @Override
  public void start() {
    sinks.forEach(EventSink::start);
  }

  @Override
  public void stop(Duration grace) {
    long end = System.nanoTime() + grace.toNanos();
    for (EventSink sink : sinks) {
      sink.stop(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }
  }
}
