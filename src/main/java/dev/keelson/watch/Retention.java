package dev.keelson.watch;

import java.time.Duration;

/**
 * How much history each type keeps in memory. Older revisions are read from the store, which is
 * slower and looks the same to clients.
 *
 * @param age how long an event is kept
 * @param mostEvents the largest number of events
 * @param mostBytes the approximate amount of memory, in bytes
 */
public record Retention(Duration age, int mostEvents, long mostBytes) {
  /** Five minutes, and at most 102,400 events or 128 MiB. */
  public static final Retention DEFAULT = new Retention(Duration.ofMinutes(5), 102_400, 128L << 20);
}
