package dev.keelson.watch;

import java.time.Duration;

/**
 * How much history each type keeps in memory. Older revisions are read from the store.
 *
 * @param age the maximum age of an event
 * @param mostEvents the maximum number of events
 * @param mostBytes the approximate maximum memory in bytes
 */
public record Retention(Duration age, int mostEvents, long mostBytes) {
  /** Five minutes, and at most 102,400 events or 128 MiB. */
  public static final Retention DEFAULT = new Retention(Duration.ofMinutes(5), 102_400, 128L << 20);
}
