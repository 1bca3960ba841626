package dev.keelson.value;

import java.time.Duration;

/**
 * A length of time as Go's {@code time.Duration} reads and prints it, such as {@code 1h30m0s}
 * (source: {@code time.ParseDuration} and {@code Duration.String}).
 *
 * @param nanos the length in nanoseconds; may be negative
 */
public record GoDuration(long nanos) implements Comparable<GoDuration> {

  private static final long SECOND = 1_000_000_000L;

  /** 2^63 as an unsigned number, the largest length before the sign is applied. */
  private static final long LIMIT = Long.MIN_VALUE;

  /**
   * Reads a duration: an optional sign and decimal numbers, each with an optional fraction and a
   * unit ({@code ns}, {@code us} or {@code µs}, {@code ms}, {@code s}, {@code m}, {@code h}), or
   * {@code 0}. What is below a nanosecond is cut off.
   *
   * @throws ValueFormatException in Go's words if the text is no duration, or beyond 64 bits
   */
  public static GoDuration parse(String text) {
    return new GoDuration(new Parser(text).parse());
  }

  /** Whether {@link #parse} accepts the text. */
  public static boolean isDuration(String text) {
    try {
      GoDuration unused = parse(text);
      return true;
    } catch (ValueFormatException no) {
      return false;
    }
  }

  /** The same length as the JDK's type. */
  public Duration toDuration() {
    return Duration.ofNanos(nanos);
  }

  @Override
  public int compareTo(GoDuration other) {
    return Long.compare(nanos, other.nanos);
  }

  /** The form in which Go prints it: {@code 1h30m0s}, {@code 1.5s}, {@code 100ns}. */
  @Override
  public String toString() {
    if (nanos == 0) {
      return "0s";
    }
    String sign = nanos < 0 ? "-" : "";
    // the smallest long has no positive twin; unsigned arithmetic holds it
    long size = Math.abs(nanos);
    if (Long.compareUnsigned(size, SECOND) < 0) {
      return sign
          + (size < 1_000
              ? size + "ns"
              : size < 1_000_000 ? decimal(size, 3) + "µs" : decimal(size, 6) + "ms");
    }
    long seconds = Long.divideUnsigned(size, SECOND);
    long rest = Long.remainderUnsigned(size, SECOND);
    String tail = decimal(seconds % 60 * SECOND + rest, 9) + "s";
    long minutes = seconds / 60;
    if (minutes == 0) {
      return sign + tail;
    }
    return minutes < 60
        ? sign + minutes + "m" + tail
        : sign + minutes / 60 + "h" + minutes % 60 + "m" + tail;
  }

  /** {@code value} with the point {@code places} from the right and no trailing zeros. */
  private static String decimal(long value, int places) {
    String digits = Long.toString(value);
    digits = "0".repeat(Math.max(0, places + 1 - digits.length())) + digits;
    int end = digits.length();
    int point = end - places;
    while (end > point && digits.charAt(end - 1) == '0') {
      end--;
    }
    String whole = digits.substring(0, point);
    return end == point ? whole : whole + "." + digits.substring(point, end);
  }

  /** One call of {@link #parse}. Lengths are unsigned until the sign is applied. */
  private static final class Parser {
    private final String text;
    private int at;

    Parser(String text) {
      this.text = text;
    }

    long parse() {
      boolean negative = text.startsWith("-");
      at = negative || text.startsWith("+") ? 1 : 0;
      if (text.length() == at + 1 && text.charAt(at) == '0') {
        return 0;
      }
      if (at == text.length()) {
        throw invalid();
      }
      long sum = 0;
      while (at < text.length()) {
        sum = bounded(sum + part());
      }
      if (sum == LIMIT && !negative) {
        throw invalid();
      }
      return negative ? -sum : sum;
    }

    /** A number with its unit, in nanoseconds. */
    private long part() {
      int from = at;
      long whole = 0;
      for (; isDigit(); at++) {
        if (Long.compareUnsigned(whole, Long.divideUnsigned(LIMIT, 10)) > 0) {
          throw invalid();
        }
        whole = bounded(whole * 10 + text.charAt(at) - '0');
      }
      boolean any = at > from;
      long fraction = 0;
      double scale = 1;
      if (at < text.length() && text.charAt(at) == '.') {
        int point = at++;
        boolean full = false;
        for (; isDigit(); at++) {
          full |= fraction > Long.MAX_VALUE / 10;
          long next = fraction * 10 + text.charAt(at) - '0';
          full |= next < 0;
          if (!full) {
            fraction = next;
            scale *= 10;
          }
        }
        any |= at > point + 1;
      }
      if (!any) {
        throw invalid();
      }
      long unit = unit();
      if (Long.compareUnsigned(whole, Long.divideUnsigned(LIMIT, unit)) > 0) {
        throw invalid();
      }
      // in doubles, as Go computes it
      return bounded(whole * unit + (long) (fraction * (unit / scale)));
    }

    private long unit() {
      int from = at;
      while (at < text.length() && text.charAt(at) != '.' && !isDigit()) {
        at++;
      }
      String unit = text.substring(from, at);
      return switch (unit) {
        case "ns" -> 1L;
        // the micro sign and the Greek letter
        case "us", "µs", "μs" -> 1_000L;
        case "ms" -> 1_000_000L;
        case "s" -> SECOND;
        case "m" -> 60 * SECOND;
        case "h" -> 3_600 * SECOND;
        case "" ->
            throw new ValueFormatException("time: missing unit in duration \"" + text + "\"");
        default ->
            throw new ValueFormatException(
                "time: unknown unit \"" + unit + "\" in duration \"" + text + "\"");
      };
    }

    private boolean isDigit() {
      return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
    }

    private long bounded(long length) {
      if (Long.compareUnsigned(length, LIMIT) > 0) {
        throw invalid();
      }
      return length;
    }

    private ValueFormatException invalid() {
      return new ValueFormatException("time: invalid duration \"" + text + "\"");
    }
  }
}
