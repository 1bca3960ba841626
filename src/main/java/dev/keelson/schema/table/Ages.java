package dev.keelson.schema.table;

import dev.keelson.value.Timestamp;
import dev.keelson.value.ValueFormatException;
import java.time.Instant;

/**
 * Lengths of time in the form of table cells: two units at most, one for older objects (source:
 * Kubernetes' {@code duration.HumanDuration}).
 */
final class Ages {

  /** The text for a time that is not set or is malformed. */
  static final String UNKNOWN = "<unknown>";

  /** The text for a time in the future. */
  static final String INVALID = "<invalid>";

  private Ages() {}

  /** The time from {@code timestamp} to {@code now}; {@link #UNKNOWN} if it is empty. */
  static String since(String timestamp, Instant now) {
    return timestamp.isEmpty() ? UNKNOWN : between(timestamp, now);
  }

  private static String between(String timestamp, Instant end) {
    try {
      return between(Timestamp.parse(timestamp).toInstant(), end);
    } catch (ValueFormatException unreadable) {
      return UNKNOWN;
    }
  }

  /** The time from one timestamp to another. */
  static String between(String from, String to) {
    try {
      return between(from, Timestamp.parse(to).toInstant());
    } catch (ValueFormatException unreadable) {
      return UNKNOWN;
    }
  }

  /** The time from one moment to another; {@link #INVALID} if that is later by two seconds. */
  static String between(Instant from, Instant to) {
    long seconds = to.getEpochSecond() - from.getEpochSecond();
    int nanos = to.getNano() - from.getNano();
    if (seconds > 0 && nanos < 0) {
      seconds--;
    } else if (seconds < 0 && nanos > 0) {
      seconds++;
    }
    return human(seconds);
  }

  /** A length of time in seconds, cut toward zero as Go counts; clocks may differ by one. */
  static String human(long seconds) {
    if (seconds < -1) {
      return INVALID;
    }
    if (seconds < 0) {
      return "0s";
    }
    if (seconds < 120) {
      return seconds + "s";
    }
    long minutes = seconds / 60;
    if (minutes < 10) {
      return two(minutes, "m", seconds % 60, "s");
    }
    if (minutes < 180) {
      return minutes + "m";
    }
    long hours = minutes / 60;
    if (hours < 8) {
      return two(hours, "h", minutes % 60, "m");
    }
    return hours < 48 ? hours + "h" : days(hours);
  }

  private static String days(long hours) {
    long days = hours / 24;
    if (days < 8) {
      return two(days, "d", hours % 24, "h");
    }
    if (hours < 24 * 365 * 2) {
      return days + "d";
    }
    long years = days / 365;
    return years < 8 ? two(years, "y", days % 365, "d") : years + "y";
  }

  private static String two(long large, String unit, long small, String smallUnit) {
    return small == 0 ? large + unit : large + unit + small + smallUnit;
  }
}
