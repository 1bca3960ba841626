package dev.keelson.flow.level;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/**
 * When clients of a level that rejects requests may try again (source: apiserver, util/flowcontrol,
 * dropped_requests_tracker.go): twice as late after many rejections, a second sooner after few.
 * Guarded by its own monitor.
 */
final class RetryAfter {

  private static final int MOST = 32;

  /** Rejections a second that double the time. */
  private static final int MANY = 3;

  private final Deque<Second> history = new ArrayDeque<>();
  private long second;
  private long rejected;
  private int seconds = 1;
  private long doubled;

  private record Second(long time, long rejected) {}

  /**
   * A request is rejected.
   *
   * @param now seconds since 1970
   * @return seconds until the client may try again, from 1 to 32
   */
  synchronized int reject(long now) {
    if (now != second) {
      history.addLast(new Second(second, rejected));
      while (second - history.getFirst().time > MOST) {
        history.removeFirst();
      }
      second = now;
      rejected = 0;
      adjust(now);
    }
    rejected++;
    return seconds;
  }

  private void adjust(long now) {
    long recent = recent(now);
    if (now - doubled >= seconds && recent >= (long) MANY * seconds) {
      seconds = Math.min(2 * seconds, MOST);
      doubled = now;
    } else if (recent < seconds && seconds > 1) {
      seconds--;
    }
  }

  /** The rejections of the last {@link #seconds}. */
  private long recent(long now) {
    long sum = 0;
    Iterator<Second> newest = history.descendingIterator();
    while (newest.hasNext()) {
      Second each = newest.next();
      if (now - each.time > seconds) {
        break;
      }
      sum += each.rejected;
    }
    return sum;
  }
}
