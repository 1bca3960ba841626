package dev.keelson.controller.cronjob;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The last time that has passed without a run (source: {@code mostRecentScheduleTime} in {@code
 * utils.go}).
 *
 * @param earliest from when on times were looked for
 * @param latest the last one; null if there is none
 * @param count about how many there are
 */
record MissedRuns(Instant earliest, @Nullable Instant latest, long count) {

  /** From this many on the user is warned. */
  private static final long MANY = 100;

  /**
   * Looks for them.
   *
   * @param earliest the last run, or the creation, or the deadline for late runs
   * @return empty if the schedule has no times
   */
  static Optional<MissedRuns> of(CronTimes times, Instant earliest, Instant now) {
    Instant first = times.next(earliest).orElse(null);
    Instant second = first == null ? null : times.next(first).orElse(null);
    if (first == null || second == null) {
      return Optional.empty();
    }
    if (now.isBefore(first)) {
      return Optional.of(new MissedRuns(earliest, null, 0));
    }
    if (now.isBefore(second)) {
      return Optional.of(new MissedRuns(earliest, first, 0));
    }
    long between = Math.max(1, Duration.between(first, second).toSeconds());
    long count = Duration.between(first, now).toSeconds() / between + 1;
    // one distance more than needed, for schedules whose distances differ
    Instant latest = null;
    Instant candidate = times.next(first.plusSeconds((count - 2) * between)).orElse(Instant.MAX);
    while (!candidate.isAfter(now)) {
      latest = candidate;
      candidate = times.next(candidate).orElse(Instant.MAX);
    }
    return Optional.of(new MissedRuns(earliest, latest, count));
  }

  boolean areMany() {
    return count > MANY;
  }

  /** From when on the next time is looked for. */
  Instant before(Instant now) {
    if (latest != null) {
      return latest;
    }
    return count == 0 ? earliest : now;
  }
}
