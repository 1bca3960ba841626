package dev.keelson.schema.codec.tree;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The form in which Kubernetes prints a quantity that it has read ({@code resource.Quantity}): no
 * fraction, the largest suffix that leaves the number whole, and the family of suffixes that was
 * used. Some texts that are nearly canonical it keeps as they are, for its own quick path; so does
 * this.
 */
final class QuantityForm {

  /** Digits that surely fit its quick path. */
  private static final int QUICK_DIGITS = 18;

  private static final int QUICK_BINARY_DIGITS = 14;

  /** Smaller parts of one are rounded up; a power of ten. */
  private static final int SMALLEST = -9;

  private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigInteger KIBI = BigInteger.valueOf(1024);
  private static final String DECIMAL_SUFFIXES = "num.kMGTPE";
  private static final String BINARY_SUFFIXES = "KMGTPE";

  private enum Format {
    DECIMAL,
    EXPONENT,
    BINARY
  }

  private QuantityForm() {}

  /**
   * The canonical form.
   *
   * @param quantity what has been checked to be one
   * @param suffixAt where its suffix begins
   */
  static String of(String quantity, int suffixAt) {
    boolean signed = quantity.charAt(0) == '-' || quantity.charAt(0) == '+';
    String number = quantity.substring(signed ? 1 : 0, suffixAt);
    String suffix = quantity.substring(suffixAt);
    int point = number.indexOf('.');
    String whole = withoutZeros(point < 0 ? number : number.substring(0, point));
    String fraction = point < 0 ? "" : number.substring(point + 1);
    Format format = format(suffix);
    int exponent = exponent(suffix, format);
    String digits = whole + fraction;
    return switch (format) {
      case BINARY ->
          quickBinary(whole, fraction, exponent)
              ? kept(exponent, digits) ? quantity : canonical(quantity, number, exponent, format)
              : canonical(quantity, number, exponent, format);
      case DECIMAL, EXPONENT ->
          quickDecimal(digits, fraction, exponent)
                  && (exponent - fraction.length()) % 3 == 0
                  && !digits.endsWith("000")
                  && digits.charAt(0) != '0'
              ? quantity
              : canonical(quantity, number, exponent, format);
    };
  }

  private static String withoutZeros(String digits) {
    int at = 0;
    while (at < digits.length() && digits.charAt(at) == '0') {
      at++;
    }
    return at == digits.length() ? "0" : digits.substring(at);
  }

  private static Format format(String suffix) {
    if (suffix.endsWith("i")) {
      return Format.BINARY;
    }
    boolean exponent = suffix.length() > 1 && Character.toLowerCase(suffix.charAt(0)) == 'e';
    return exponent ? Format.EXPONENT : Format.DECIMAL;
  }

  /** Of two for the binary suffixes, of ten for the others. */
  private static int exponent(String suffix, Format format) {
    return switch (format) {
      case EXPONENT -> Integer.parseInt(suffix.substring(suffix.charAt(1) == '+' ? 2 : 1));
      case BINARY -> (BINARY_SUFFIXES.indexOf(suffix.charAt(0)) + 1) * 10;
      case DECIMAL -> suffix.isEmpty() ? 0 : DECIMAL_SUFFIXES.indexOf(suffix) * 3 - 9;
    };
  }

  private static boolean quickDecimal(String digits, String fraction, int exponent) {
    return digits.length() <= QUICK_DIGITS && exponent - fraction.length() >= SMALLEST;
  }

  private static boolean quickBinary(String whole, String fraction, int exponent) {
    return fraction.isEmpty() && whole.length() + exponent * 3 / 10 <= QUICK_BINARY_DIGITS;
  }

  /** Multiples of eight may be multiples of a larger unit; the others are surely canonical. */
  private static boolean kept(int exponent, String digits) {
    return exponent % 10 == 0 && (Long.parseLong(digits) & 7) != 0;
  }

  private static String canonical(String quantity, String number, int exponent, Format format) {
    BigDecimal value = new BigDecimal("0" + (number.endsWith(".") ? number + "0" : number));
    value =
        format == Format.BINARY
            ? value.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(exponent)))
            : value.scaleByPowerOfTen(exponent);
    if (value.scale() > -SMALLEST) {
      value = value.setScale(-SMALLEST, RoundingMode.UP);
    }
    if (format == Format.BINARY && value.compareTo(LARGEST) > 0) {
      value = LARGEST;
    }
    if (value.signum() == 0) {
      return "0";
    }
    String printed =
        format == Format.BINARY && value.compareTo(new BigDecimal(KIBI)) >= 0 && whole(value)
            ? binary(value.toBigIntegerExact())
            : decimal(value.stripTrailingZeros(), format, quantity);
    return quantity.charAt(0) == '-' && !printed.equals(quantity) ? "-" + printed : printed;
  }

  private static boolean whole(BigDecimal value) {
    return value.stripTrailingZeros().scale() <= 0;
  }

  private static String binary(BigInteger value) {
    BigInteger left = value;
    int times = 0;
    while (times < BINARY_SUFFIXES.length() && left.mod(KIBI).signum() == 0) {
      left = left.divide(KIBI);
      times++;
    }
    return times == 0 ? left.toString() : left + "" + BINARY_SUFFIXES.charAt(times - 1) + "i";
  }

  private static String decimal(BigDecimal stripped, Format format, String quantity) {
    int exponent = -stripped.scale();
    int excess = Math.floorMod(exponent, 3);
    exponent -= excess;
    String number = stripped.unscaledValue().multiply(BigInteger.TEN.pow(excess)).toString();
    if (exponent == 0) {
      return number;
    }
    if (format == Format.EXPONENT) {
      return number + "e" + exponent;
    }
    int suffix = exponent / 3 + 3;
    return suffix < DECIMAL_SUFFIXES.length() ? number + DECIMAL_SUFFIXES.charAt(suffix) : quantity;
  }
}
