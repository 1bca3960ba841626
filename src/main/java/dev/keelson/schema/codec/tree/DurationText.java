package dev.keelson.schema.codec.tree;

import dev.keelson.schema.codec.tree.DecodeException.Fault;

/** Go's duration strings, such as {@code 1h30m0s}: read and printed as Go's {@code time} does. */
public final class DurationText {

  private DurationText() {}

  /**
   * {@code text} in the printed form.
   *
   * @throws DecodeException if it is no duration
   */
  public static String normalise(String text) {
    return print(nanos(text));
  }

  /**
   * The length in nanoseconds.
   *
   * @throws DecodeException if {@code text} is no duration or too long for 64 bits
   */
  public static long nanos(String text) {
    int at = 0;
    boolean negative = text.startsWith("-");
    if (negative || text.startsWith("+")) {
      at = 1;
    }
    if (text.substring(at).equals("0")) {
      return 0;
    }
    if (at == text.length()) {
      throw invalid(text);
    }
    try {
      long sum = 0;
      while (at < text.length()) {
        int digitsAt = at;
        long whole = 0;
        for (; digit(text, at); at++) {
          whole = Math.addExact(Math.multiplyExact(whole, 10L), text.charAt(at) - '0');
        }
        int digits = at - digitsAt;
        double fraction = 0;
        if (at < text.length() && text.charAt(at) == '.') {
          double scale = 0.1;
          for (at++; digit(text, at); at++) {
            fraction += (text.charAt(at) - '0') * scale;
            scale /= 10;
            digits++;
          }
        }
        if (digits == 0) {
          throw invalid(text);
        }
        int unitAt = at;
        while (at < text.length() && text.charAt(at) != '.' && !digit(text, at)) {
          at++;
        }
        long unit = unit(text, text.substring(unitAt, at));
        sum = Math.addExact(sum, Math.multiplyExact(whole, unit));
        sum = Math.addExact(sum, Math.round(fraction * unit));
      }
      return negative ? -sum : sum;
    } catch (ArithmeticException _) {
      throw invalid(text);
    }
  }

  /** The form in which Go prints {@code nanos}. */
  public static String print(long nanos) {
    if (nanos == 0) {
      return "0s";
    }
    String sign = nanos < 0 ? "-" : "";
    // the smallest long has no positive twin; unsigned arithmetic holds it
    long size = Math.abs(nanos);
    if (Long.compareUnsigned(size, 1_000_000_000L) < 0) {
      return sign
          + (size < 1_000
              ? size + "ns"
              : size < 1_000_000 ? decimal(size, 3) + "µs" : decimal(size, 6) + "ms");
    }
    long seconds = Long.divideUnsigned(size, 1_000_000_000L);
    long rest = Long.remainderUnsigned(size, 1_000_000_000L);
    String tail = decimal(seconds % 60 * 1_000_000_000L + rest, 9) + "s";
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

  private static long unit(String text, String unit) {
    return switch (unit) {
      case "ns" -> 1L;
      // both the micro sign and the Greek letter
      case "us", "µs", "μs" -> 1_000L;
      case "ms" -> 1_000_000L;
      case "s" -> 1_000_000_000L;
      case "m" -> 60_000_000_000L;
      case "h" -> 3_600_000_000_000L;
      case "" ->
          throw new DecodeException(Fault.SHAPE, "time: missing unit in duration \"" + text + "\"");
      default ->
          throw new DecodeException(
              Fault.SHAPE, "time: unknown unit \"" + unit + "\" in duration \"" + text + "\"");
    };
  }

  private static boolean digit(String text, int at) {
    return at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9';
  }

  private static DecodeException invalid(String text) {
    return new DecodeException(Fault.SHAPE, "time: invalid duration \"" + text + "\"");
  }
}
