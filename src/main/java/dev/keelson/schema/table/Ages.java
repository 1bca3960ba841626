package dev.keelson.schema.table;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;

/**
 * Times as a person reads them in a table: two units at most, the fewer the older (the form of
 * Kubernetes' {@code duration.HumanDuration}).
 */
final class Ages {

  /** What stands for a time that is not set. */
  static final String UNKNOWN = "<unknown>";

  /** The form that almost all timestamps have, with 0 for a digit. */
  private static final String WHOLE_SECONDS = "0000-00-00T00:00:00Z";

  private Ages() {}

  /** The time from {@code timestamp} to {@code now}; a word if there is none. */
  static String since(String timestamp, Instant now) {
    return timestamp.isEmpty() ? UNKNOWN : between(timestamp, now);
  }

  private static String between(String timestamp, Instant end) {
    try {
      return human(Duration.between(instant(timestamp), end));
    } catch (DateTimeException unreadable) {
      return UNKNOWN;
    }
  }

  /**
   * The moment that a timestamp names.
   *
   * @throws DateTimeException if it names none
   */
  private static Instant instant(String timestamp) {
    if (timestamp.length() == WHOLE_SECONDS.length()) {
      int form = 0;
      for (int i = 0; i < WHOLE_SECONDS.length(); i++) {
        char c = timestamp.charAt(i);
        char expected = WHOLE_SECONDS.charAt(i);
        form += expected == '0' ? (c >= '0' && c <= '9' ? 1 : 0) : c == expected ? 1 : 0;
      }
      int hour = number(timestamp, 11, 2);
      int minute = number(timestamp, 14, 2);
      int second = number(timestamp, 17, 2);
      if (form == WHOLE_SECONDS.length() && hour < 24 && minute < 60 && second < 60) {
        long day =
            LocalDate.of(number(timestamp, 0, 4), number(timestamp, 5, 2), number(timestamp, 8, 2))
                .toEpochDay();
        return Instant.ofEpochSecond(((day * 24 + hour) * 60 + minute) * 60 + second);
      }
    }
    return Instant.parse(timestamp);
  }

  private static int number(String digits, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      value = value * 10 + digits.charAt(i) - '0';
    }
    return value;
  }

  /** The time from one timestamp to another. */
  static String between(String from, String to) {
    try {
      return between(from, Instant.parse(to));
    } catch (DateTimeException unreadable) {
      return UNKNOWN;
    }
  }

  /** A length of time; clocks may differ by a second. */
  static String human(Duration age) {
    // toward zero, as Go counts
    long seconds = age.toMillis() / 1000;
    if (seconds < -1) {
      return "<invalid>";
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
