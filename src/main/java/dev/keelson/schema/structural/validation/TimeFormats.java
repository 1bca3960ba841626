package dev.keelson.schema.structural.validation;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import dev.keelson.value.GoDuration;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/** Dates, times and durations. */
final class TimeFormats {

  private TimeFormats() {}

  /** Compiled on first use. */
  private static final class Patterns {
    private static final Pattern TIME =
        Pattern.compile("^([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))$");

    private static final Pattern DURATION = Pattern.compile("((?:-\\s?)?\\d+)\\s*([A-Za-zµ]+)");
  }

  /** Of the units, the last is a prefix of what is accepted. */
  private static final List<List<String>> UNITS =
      List.of(
          List.of("ns", "nano"),
          List.of("us", "µs", "micro"),
          List.of("ms", "milli"),
          List.of("s", "sec"),
          List.of("m", "min"),
          List.of("h", "hr", "hour"),
          List.of("d", "day"),
          List.of("w", "wk", "week"));

  /** The full-date of RFC 3339. */
  static boolean isDate(String text) {
    if (text.length() != 10 || text.charAt(4) != '-' || text.charAt(7) != '-') {
      return false;
    }
    try {
      int year = digits(text, 0, 4);
      int month = digits(text, 5, 7);
      int day = digits(text, 8, 10);
      return year >= 0 && LocalDate.of(year, month, day).getDayOfMonth() == day;
    } catch (DateTimeException no) {
      return false;
    }
  }

  /** The number of decimal digits alone; -1 if there is another character. */
  private static int digits(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c < '0' || c > '9') {
        return -1;
      }
      number = number * 10 + c - '0';
    }
    return number;
  }

  /** The date-time of RFC 3339. */
  static boolean isDateTime(String text) {
    int t = text.toLowerCase(Locale.ROOT).indexOf('t');
    if (t < 0 || !isDate(text.substring(0, t))) {
      return false;
    }
    Matcher time = Patterns.TIME.matcher(text.substring(t + 1).toLowerCase(Locale.ROOT));
    return time.find()
        && time.group(1).compareTo("23") <= 0
        && time.group(2).compareTo("59") <= 0
        && time.group(3).compareTo("59") <= 0;
  }

  /** A duration in Go's syntax, or numbers with units as Scala has them. */
  static boolean isDuration(String text) {
    if (GoDuration.isDuration(text)) {
      return true;
    }
    Matcher parts = Patterns.DURATION.matcher(text);
    boolean any = false;
    while (parts.find()) {
      String number = parts.group(1).replaceFirst("^-\\s?", "");
      if (number.length() > 19
          || (number.length() == 19 && number.compareTo("9223372036854775807") > 0)) {
        return false;
      }
      any |= isUnit(parts.group(2).toLowerCase(Locale.ROOT));
    }
    return any;
  }

  private static boolean isUnit(String unit) {
    return UNITS.stream()
        .anyMatch(names -> names.contains(unit) || unit.startsWith(names.getLast()));
  }
}
