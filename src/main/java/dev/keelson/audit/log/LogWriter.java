package dev.keelson.audit.log;

import dev.keelson.audit.EventWriter;
import dev.keelson.audit.event.Event;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Writes events as lines. Called by one thread. */
public record LogWriter(LogFormat format, LogTarget target) implements EventWriter {

  @Override
  public String name() {
    return "log";
  }

  @Override
  public void write(List<Event> events) throws IOException {
    List<byte[]> lines = new ArrayList<>(events.size());
    for (Event event : events) {
      lines.add(format.line(event));
    }
    target.write(lines);
  }

  @Override
  public void close() {
    target.close();
  }
}
