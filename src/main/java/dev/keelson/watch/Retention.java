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

  private static final long MOST_BYTES = 128L << 20;

  /** A type may take this part of the memory of the process: a sixteenth. */
  private static final int PART = 16;

  /**
   * Five minutes, and at most 102,400 events or 128 MiB, on a small machine a sixteenth of the
   * memory.
   */
  public static Retention ofMemory() {
    long bytes = Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / PART);
    return new Retention(Duration.ofMinutes(5), 102_400, bytes);
  }
}
