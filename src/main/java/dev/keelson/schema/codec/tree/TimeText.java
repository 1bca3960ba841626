package dev.keelson.schema.codec.tree;

import dev.keelson.schema.codec.tree.DecodeException.Fault;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;

/**
 * RFC 3339 times as Go's {@code time.Parse} reads them and as {@code metav1.Time} and {@code
 * MicroTime} print them: in UTC, with no decimals or six. Errors are in Go's words.
 */
public final class TimeText {

  /** How many decimals of the second are printed. */
  public enum Precision {
    SECONDS("2006-01-02T15:04:05Z07:00"),
    MICROS("2006-01-02T15:04:05.000000Z07:00");

    private final String layout;

    Precision(String layout) {
      this.layout = layout;
    }
  }

  /** What Go's zero time prints as in RFC 3339; Kubernetes prints it as null. */
  static final String ZERO = "0001-01-01T00:00:00Z";

  private static final String ZERO_MICROS = "0001-01-01T00:00:00.000000Z";

  private static final int NANOS = 1_000_000_000;
  private static final long YEAR_0 = LocalDate.of(0, 1, 1).toEpochDay() * 86_400;
  private static final long YEAR_10000 = LocalDate.of(10_000, 1, 1).toEpochDay() * 86_400;

  private final String text;
  private final Precision precision;
  private int at;

  private TimeText(String text, Precision precision) {
    this.text = text;
    this.precision = precision;
  }

  /** Whether a normalised time is Go's zero time. */
  public static boolean zero(String normalised) {
    return normalised.equals(ZERO) || normalised.equals(ZERO_MICROS);
  }

  /**
   * {@code text} in the printed form; the same instance if it has it already.
   *
   * @throws DecodeException if it is no time
   */
  public static String normalise(String text, Precision precision) {
    return new TimeText(text, precision).normalise();
  }

  /**
   * The printed form of a moment.
   *
   * @param epochSecond seconds since 1970
   * @param nanos nanoseconds after that; what is finer than the precision is cut off
   * @throws DecodeException if the year has not four digits
   */
  public static String print(long epochSecond, int nanos, Precision precision) {
    int part = precision == Precision.MICROS ? nanos / 1000 * 1000 : 0;
    int fraction = Math.floorMod(part, NANOS);
    if (epochSecond < YEAR_0 || epochSecond >= YEAR_10000) {
      throw new DecodeException(
          Fault.SHAPE, "time " + epochSecond + " s: year outside of range [0,9999]");
    }
    long second = epochSecond + Math.floorDiv(part, NANOS);
    return new TimeText("", precision)
        .print(LocalDateTime.ofEpochSecond(second, fraction, ZoneOffset.UTC));
  }

  /** The seconds since 1970 of a time in the printed form of any precision. */
  public static long epochSecond(String printed) {
    TimeText time = new TimeText(printed, Precision.SECONDS);
    long day = LocalDate.of(time.number(0, 4), time.number(5, 2), time.number(8, 2)).toEpochDay();
    return ((day * 24 + time.number(11, 2)) * 60 + time.number(14, 2)) * 60 + time.number(17, 2);
  }

  /** The nanoseconds after the second of a time in the printed form of {@link Precision#MICROS}. */
  public static int nanos(String printed) {
    return new TimeText(printed, Precision.MICROS).number(20, 6) * 1000;
  }

  private String normalise() {
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
    int offsetSeconds = offset();
    if (at < text.length()) {
      throw wrong(": extra text: " + quoted(text.substring(at)));
    }
    LocalDate date = date(year, month, day);
    boolean printed = utc && decimals == (precision == Precision.SECONDS ? 0 : 6);
    if (printed && (decimals == 0 || text.charAt(decimalsAt) == '.')) {
      return text;
    }
    return print(date.atTime(hour, minute, second, nanos).minusSeconds(offsetSeconds));
  }

  private LocalDate date(int year, int month, int day) {
    try {
      return LocalDate.of(year, month, day);
    } catch (DateTimeException _) {
      throw wrong(": day out of range");
    }
  }

  private String print(LocalDateTime utc) {
    StringBuilder out = new StringBuilder(27);
    if (utc.getYear() < 0 || utc.getYear() > 9999) {
      throw wrong(": year outside of range [0,9999]");
    }
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
    return position < text.length() && text.charAt(position) >= '0' && text.charAt(position) <= '9';
  }

  private DecodeException cannotParse(int from, String element) {
    return wrong(
        " as "
            + quoted(precision.layout)
            + ": cannot parse "
            + quoted(text.substring(from))
            + " as "
            + quoted(element));
  }

  private DecodeException wrong(String detail) {
    return new DecodeException(Fault.SHAPE, "parsing time " + quoted(text) + detail);
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
