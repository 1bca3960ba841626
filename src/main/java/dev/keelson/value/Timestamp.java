package dev.keelson.value;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.ZoneOffset;

/**
 * A point in time as RFC 3339 text, as Go's {@code time.Parse} reads it and {@code metav1.Time} and
 * {@code MicroTime} print it: in UTC, with no decimals or six. Errors are in Go's words.
 *
 * @param epochSecond seconds since 1970-01-01T00:00:00Z; in the years 0 to 9999
 * @param nanos nanoseconds after that second, from 0 to 999,999,999
 */
public record Timestamp(long epochSecond, int nanos) implements Comparable<Timestamp> {

  private static final int NANOS = 1_000_000_000;
  private static final long YEAR_0 = LocalDate.of(0, 1, 1).toEpochDay() * 86_400;
  private static final long YEAR_10000 = LocalDate.of(10_000, 1, 1).toEpochDay() * 86_400;

  /** Go's zero time in the two precisions; Kubernetes prints it as null. */
  private static final String ZERO = "0001-01-01T00:00:00Z";

  private static final String ZERO_MICROS = "0001-01-01T00:00:00.000000Z";

  public Timestamp {
    if (nanos < 0 || nanos >= NANOS) {
      throw new IllegalArgumentException(nanos + " nanoseconds after a second");
    }
  }

  /** The number of decimals of the second that are printed. */
  public enum Precision {
    /** None: {@code metav1.Time}. */
    SECONDS("2006-01-02T15:04:05Z07:00"),
    /** Six: {@code metav1.MicroTime}. */
    MICROS("2006-01-02T15:04:05.000000Z07:00");

    private final String layout;

    Precision(String layout) {
      this.layout = layout;
    }
  }

  /**
   * Reads a time with any number of decimals; those beyond nine are cut off.
   *
   * @param precision of the field, whose layout the error message names
   * @throws ValueFormatException in Go's words if the text is no time, or its year in UTC has not
   *     four digits
   */
  @SuppressWarnings("JavaLocalDateTimeGetNano") // the seconds beside it are of the epoch
  public static Timestamp parse(String text, Precision precision) {
    LocalDateTime utc = new Parser(text, precision).parse().utc();
    return new Timestamp(utc.toEpochSecond(ZoneOffset.UTC), utc.getNano());
  }

  /** Reads a time as {@link #parse(String, Precision)} does, of the precision of seconds. */
  public static Timestamp parse(String text) {
    return parse(text, Precision.SECONDS);
  }

  /**
   * The printed form of a text; the same instance if the text has it.
   *
   * @throws ValueFormatException as {@link #parse(String, Precision)}
   */
  public static String canonical(String text, Precision precision) {
    Parser parser = new Parser(text, precision).parse();
    return parser.canonical ? text : print(parser.utc(), precision);
  }

  /**
   * The printed form of a moment.
   *
   * @param epochSecond seconds since 1970
   * @param nanos nanoseconds after that, of any sign and size; what is finer than the precision is
   *     cut off
   * @throws ValueFormatException if the year has not four digits
   */
  public static String print(long epochSecond, int nanos, Precision precision) {
    int part = precision == Precision.MICROS ? nanos / 1000 * 1000 : 0;
    if (epochSecond < YEAR_0 || epochSecond >= YEAR_10000) {
      throw new ValueFormatException("time " + epochSecond + " s: year outside of range [0,9999]");
    }
    LocalDateTime utc =
        LocalDateTime.ofEpochSecond(
            epochSecond + Math.floorDiv(part, NANOS), Math.floorMod(part, NANOS), ZoneOffset.UTC);
    if (utc.getYear() < 0 || utc.getYear() > 9999) {
      throw new ValueFormatException("time " + epochSecond + " s: year outside of range [0,9999]");
    }
    return print(utc, precision);
  }

  /**
   * The seconds of a time in a printed form, without making a string of it: stored objects are
   * transcoded through this.
   *
   * @param ascii holds the text from {@code from} to before {@code to}
   * @return {@link Long#MIN_VALUE} if it is not in the form of any precision
   */
  public static long epochSecond(byte[] ascii, int from, int to) {
    int length = to - from;
    if (length < 20
        || ascii[from + 4] != '-'
        || ascii[from + 7] != '-'
        || ascii[from + 10] != 'T'
        || ascii[from + 13] != ':'
        || ascii[from + 16] != ':'
        || ascii[to - 1] != 'Z') {
      return Long.MIN_VALUE;
    }
    int year = digits(ascii, from, 4);
    int month = digits(ascii, from + 5, 2);
    int day = digits(ascii, from + 8, 2);
    int hour = digits(ascii, from + 11, 2);
    int minute = digits(ascii, from + 14, 2);
    int second = digits(ascii, from + 17, 2);
    if ((year | month | day | hour | minute | second) < 0
        || month < 1
        || month > 12
        || day < 1
        || day > YearMonth.of(year, month).lengthOfMonth()
        || hour > 23
        || minute > 59
        || second > 59) {
      return Long.MIN_VALUE;
    }
    long days = LocalDate.of(year, month, day).toEpochDay();
    return ((days * 24 + hour) * 60 + minute) * 60 + second;
  }

  /**
   * The microseconds after the second of a time in the printed form of {@link Precision#MICROS}.
   *
   * @param ascii holds the text from {@code from}
   * @return negative if there are no six digits in their place
   */
  public static int micros(byte[] ascii, int from) {
    return digits(ascii, from + 20, 6);
  }

  private static int digits(byte[] ascii, int from, int count) {
    int value = 0;
    for (int i = from; i < from + count; i++) {
      int digit = ascii[i] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    return value;
  }

  /** Whether a printed time is Go's zero time. */
  public static boolean isZero(String printed) {
    return printed.equals(ZERO) || printed.equals(ZERO_MICROS);
  }

  /** The same moment as the JDK's type. */
  public Instant toInstant() {
    return Instant.ofEpochSecond(epochSecond, nanos);
  }

  /** The printed form of the time. */
  public String format(Precision precision) {
    return print(epochSecond, nanos, precision);
  }

  @Override
  public int compareTo(Timestamp other) {
    int bySecond = Long.compare(epochSecond, other.epochSecond);
    return bySecond != 0 ? bySecond : Integer.compare(nanos, other.nanos);
  }

  /** The printed form in seconds, or with six decimals if there is a fraction. */
  @Override
  public String toString() {
    return format(nanos == 0 ? Precision.SECONDS : Precision.MICROS);
  }

  @SuppressWarnings("JavaLocalDateTimeGetNano") // the seconds are printed before it
  private static String print(LocalDateTime utc, Precision precision) {
    StringBuilder out = new StringBuilder(27);
    append(out, utc.getYear(), 4).append('-');
    append(out, utc.getMonthValue(), 2).append('-');
    append(out, utc.getDayOfMonth(), 2).append('T');
    append(out, utc.getHour(), 2).append(':');
    append(out, utc.getMinute(), 2).append(':');
    append(out, utc.getSecond(), 2);
    if (precision == Precision.MICROS) {
      append(out.append('.'), utc.getNano() / 1000, 6);
    }
    return out.append('Z').toString();
  }

  private static StringBuilder append(StringBuilder out, int value, int width) {
    String digits = Integer.toString(value);
    return out.repeat('0', Math.max(0, width - digits.length())).append(digits);
  }

  /** One call of {@link #parse}. */
  private static final class Parser {
    private final String text;
    private final Precision precision;
    private int at;
    private LocalDateTime local = LocalDateTime.MIN;
    private int offsetSeconds;

    /** Whether the text is in the printed form of the precision. */
    private boolean canonical;

    Parser(String text, Precision precision) {
      this.text = text;
      this.precision = precision;
    }

    /** Reads the whole text. */
    Parser parse() {
      int year = digits(4, "2006");
      literal('-');
      int month = ranged(digits(2, "01"), 1, 12, "month");
      literal('-');
      int day = digits(2, "02");
      literal('T');
      int hour = ranged(digits(2, "15"), 0, 23, "hour");
      literal(':');
      int minute = ranged(digits(2, "04"), 0, 59, "minute");
      literal(':');
      int second = ranged(digits(2, "05"), 0, 59, "second");
      int decimalsAt = at;
      int nanos = decimals();
      int decimals = Math.max(0, at - decimalsAt - 1);
      boolean utc = peek() == 'Z';
      offsetSeconds = offset();
      if (at < text.length()) {
        throw wrong(": extra text: " + GoQuote.quote(text.substring(at)));
      }
      LocalDate date = date(year, month, day);
      canonical =
          utc
              && decimals == (precision == Precision.SECONDS ? 0 : 6)
              && (decimals == 0 || text.charAt(decimalsAt) == '.');
      local = date.atTime(hour, minute, second, nanos);
      return this;
    }

    LocalDateTime utc() {
      LocalDateTime utc = offsetSeconds == 0 ? local : local.minusSeconds(offsetSeconds);
      if (utc.getYear() < 0 || utc.getYear() > 9999) {
        throw wrong(": year outside of range [0,9999]");
      }
      return utc;
    }

    private LocalDate date(int year, int month, int day) {
      try {
        return LocalDate.of(year, month, day);
      } catch (DateTimeException _) {
        throw wrong(": day out of range");
      }
    }

    private int offset() {
      char sign = peek();
      if (sign == 'Z') {
        at++;
        return ZoneOffset.UTC.getTotalSeconds();
      }
      int from = at;
      boolean formed =
          (sign == '+' || sign == '-')
              && at + 6 <= text.length()
              && text.charAt(at + 3) == ':'
              && digit(at + 1)
              && digit(at + 2)
              && digit(at + 4)
              && digit(at + 5);
      if (!formed) {
        throw cannotParse(from, "Z07:00");
      }
      int hours = ranged(number(at + 1, 2), 0, 24, "time zone offset hour");
      int minutes = ranged(number(at + 4, 2), 0, 60, "time zone offset minute");
      at += 6;
      int seconds = hours * 3600 + minutes * 60;
      return sign == '-' ? -seconds : seconds;
    }

    /** The decimals after a point or comma, in nanoseconds; those beyond nine are cut off. */
    private int decimals() {
      if ((peek() != '.' && peek() != ',') || !digit(at + 1)) {
        return 0;
      }
      at++;
      int nanos = 0;
      int scale = 100_000_000;
      for (; digit(at); at++) {
        nanos += (text.charAt(at) - '0') * scale;
        scale /= 10;
      }
      return nanos;
    }

    private int digits(int count, String element) {
      for (int i = 0; i < count; i++) {
        if (!digit(at + i)) {
          throw cannotParse(at, element);
        }
      }
      int value = number(at, count);
      at += count;
      return value;
    }

    private int number(int from, int count) {
      int value = 0;
      for (int i = from; i < from + count; i++) {
        value = value * 10 + text.charAt(i) - '0';
      }
      return value;
    }

    private void literal(char expected) {
      if (peek() != expected) {
        throw cannotParse(at, String.valueOf(expected));
      }
      at++;
    }

    private int ranged(int value, int low, int high, String what) {
      if (value < low || value > high) {
        throw wrong(": " + what + " out of range");
      }
      return value;
    }

    private char peek() {
      return at < text.length() ? text.charAt(at) : 0;
    }

    private boolean digit(int position) {
      return position < text.length()
          && text.charAt(position) >= '0'
          && text.charAt(position) <= '9';
    }

    private ValueFormatException cannotParse(int from, String element) {
      return wrong(
          " as "
              + GoQuote.quote(precision.layout)
              + ": cannot parse "
              + GoQuote.quote(text.substring(from))
              + " as "
              + GoQuote.quote(element));
    }

    private ValueFormatException wrong(String detail) {
      return new ValueFormatException("parsing time " + GoQuote.quote(text) + detail);
    }
  }
}
