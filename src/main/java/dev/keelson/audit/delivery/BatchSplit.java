package dev.keelson.audit.delivery;

import dev.keelson.audit.event.Event;
import java.util.ArrayList;
import java.util.List;

/** Splits batches by size; an event that is larger than the limit is a batch of its own. */
final class BatchSplit {

  private BatchSplit() {}

  /**
   * The parts of a batch in order.
   *
   * @param maxBytes the most that the events of a part have together
   */
  static List<List<Event>> of(List<Event> batch, long maxBytes) {
    if (maxBytes == Long.MAX_VALUE) {
      return List.of(batch);
    }
    List<List<Event>> parts = new ArrayList<>();
    List<Event> part = new ArrayList<>();
    long bytes = 0;
    for (Event event : batch) {
      if (!part.isEmpty() && bytes + event.size() > maxBytes) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(event);
      bytes += event.size();
    }
    parts.add(part);
    return parts;
  }
}
