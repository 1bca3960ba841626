package dev.keelson.watch;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A ring buffer of events in revision order. Guarded by the lock of its cache. */
final class EventRing {

  private static final int SMALLEST = 64;

  private @Nullable CacheEvent[] ring = new CacheEvent[SMALLEST];
  private int first;
  private int size;
  private long weight;

  int size() {
    return size;
  }

  /** The approximate memory of the events, in bytes. */
  long weight() {
    return weight;
  }

  void add(CacheEvent event) {
    if (size == ring.length) {
      resize(ring.length * 2);
    }
    ring[(first + size) % ring.length] = event;
    size++;
    weight += event.weight();
  }

  /** Adds events before the first one. */
  void addFirst(List<CacheEvent> earlier) {
    int length = ring.length;
    while (length < size + earlier.size()) {
      length *= 2;
    }
    @Nullable CacheEvent[] all = new CacheEvent[length];
    int at = 0;
    for (CacheEvent event : earlier) {
      all[at++] = event;
      weight += event.weight();
    }
    for (int i = 0; i < size; i++) {
      all[at++] = ring[(first + i) % ring.length];
    }
    ring = all;
    first = 0;
    size = at;
  }

  CacheEvent get(int index) {
    CacheEvent event = ring[(first + index) % ring.length];
    if (event == null || index >= size) {
      throw new IndexOutOfBoundsException("no event " + index + " of " + size);
    }
    return event;
  }

  CacheEvent removeFirst() {
    CacheEvent event = get(0);
    ring[first] = null;
    first = (first + 1) % ring.length;
    size--;
    weight -= event.weight();
    if (ring.length > SMALLEST && size < ring.length / 4) {
      resize(ring.length / 2);
    }
    return event;
  }

  void clear() {
    ring = new CacheEvent[SMALLEST];
    first = 0;
    size = 0;
    weight = 0;
  }

  /**
   * The position of the first event with a revision above {@code revision}; the size if there is
   * none.
   */
  int after(long revision) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (get(middle).revision() <= revision) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void resize(int length) {
    @Nullable CacheEvent[] other = new CacheEvent[length];
    for (int i = 0; i < size; i++) {
      other[i] = ring[(first + i) % ring.length];
    }
    ring = other;
    first = 0;
  }
}
