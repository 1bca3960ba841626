package dev.keelson.value;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The text of a quantity taken apart: sign, number and suffix, whose syntax has been checked
 * (source: {@code resource.ParseQuantity} and {@code Quantity.CanonicalizeBytes}).
 */
final class QuantityText {

  private static final String SUFFIX_LETTERS = "eEinumkKMGTP";
  private static final String DECIMAL_SUFFIXES = "num.kMGTPE";
  private static final String BINARY_SUFFIXES = "KMGTPE";

  /**
   * The largest number of digits, and the largest exponent. Adding or rounding writes all digits
   * out, so that {@code 1e999999999} would cost a gigabyte.
   */
  private static final int LARGEST = 1000;

  /** Digits that surely fit the quick path of Kubernetes, which keeps some texts as they are. */
  private static final int QUICK_DIGITS = 18;

  private static final int QUICK_BINARY_DIGITS = 14;

  /** Smaller parts of one are rounded away from zero; a power of ten. */
  private static final int SMALLEST = -9;

  private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);
  private static final BigInteger KIBI = BigInteger.valueOf(1024);

  /** The families of suffixes, which a printed quantity keeps. */
  enum Format {
    /** {@code m}, {@code k}, {@code M} and so on. */
    DECIMAL,
    /** {@code e3}. */
    EXPONENT,
    /** {@code Ki}, {@code Mi} and so on. */
    BINARY
  }

  private final String text;
  private final int suffixAt;
  private final Format format;

  private QuantityText(String text, int suffixAt) {
    this.text = text;
    this.suffixAt = suffixAt;
    this.format = format(text.substring(suffixAt));
  }

  /**
   * Checks the syntax.
   *
   * @throws ValueFormatException if the text is no quantity
   */
  static QuantityText of(String text) {
    return new QuantityText(text, suffixAt(text));
  }

  Format format() {
    return format;
  }

  /** The number, rounded to billionths and, with a binary suffix, cut to 64 bits. */
  BigDecimal amount() {
    BigDecimal size = magnitude();
    return text.charAt(0) == '-' ? size.negate() : size;
  }

  private BigDecimal magnitude() {
    BigDecimal number = new BigDecimal("0" + unsigned());
    int exponent = exponent();
    BigDecimal value =
        format == Format.BINARY
            ? number.multiply(new BigDecimal(BigInteger.ONE.shiftLeft(exponent)))
            : number.scaleByPowerOfTen(exponent);
    if (value.scale() > -SMALLEST) {
      value = value.setScale(-SMALLEST, RoundingMode.UP);
    }
    return format == Format.BINARY && value.compareTo(LARGEST_BINARY) > 0 ? LARGEST_BINARY : value;
  }

  /**
   * The form in which Kubernetes prints the quantity that it has read: no fraction, the largest
   * suffix that leaves the number whole, and the family of suffixes that was used. Some texts that
   * are nearly canonical it keeps as they are, for its own quick path; so does this.
   */
  String canonical() {
    if (isKept()) {
      return text;
    }
    BigDecimal size = magnitude();
    if (size.signum() == 0) {
      return "0";
    }
    String printed = print(size, format);
    if (printed.isEmpty()) {
      return text;
    }
    return text.charAt(0) == '-' ? "-" + printed : printed;
  }

  /**
   * Whether Kubernetes surely keeps the number in 64 bits with a power of ten as the scale, instead
   * of as a decimal of any size.
   */
  boolean isShort() {
    int whole = 0;
    int fraction = 0;
    boolean point = false;
    for (int at = 0; at < suffixAt; at++) {
      char each = text.charAt(at);
      if (each == '.') {
        point = true;
      } else if (point) {
        fraction++;
      } else if (whole > 0 || (each >= '1' && each <= '9')) {
        whole++;
      }
    }
    whole = Math.max(whole, 1);
    return format == Format.BINARY
        ? fraction == 0 && whole + exponent() * 3 / 10 <= QUICK_BINARY_DIGITS
        : whole + fraction <= QUICK_DIGITS && exponent() - fraction >= SMALLEST;
  }

  /** Whether Kubernetes' quick path keeps the text. */
  private boolean isKept() {
    if (!isShort()) {
      return false;
    }
    String number = unsigned();
    int point = number.indexOf('.');
    String whole = withoutZeros(point < 0 ? number : number.substring(0, point));
    String fraction = point < 0 ? "" : number.substring(point + 1);
    String digits = whole + fraction;
    int exponent = exponent();
    return switch (format) {
      // multiples of eight may be multiples of a larger unit; the others are surely canonical
      case BINARY -> (Long.parseLong(digits) & 7) != 0;
      case DECIMAL, EXPONENT ->
          (exponent - fraction.length()) % 3 == 0
              && !digits.endsWith("000")
              && digits.charAt(0) != '0';
    };
  }

  /** The number without its sign. */
  private String unsigned() {
    boolean signed = text.charAt(0) == '-' || text.charAt(0) == '+';
    return text.substring(signed ? 1 : 0, suffixAt);
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

  /** The exponent of two for the binary suffixes, of ten for the others. */
  private int exponent() {
    String suffix = text.substring(suffixAt);
    return switch (format) {
      case EXPONENT -> Integer.parseInt(suffix.substring(suffix.charAt(1) == '+' ? 2 : 1));
      case BINARY -> (BINARY_SUFFIXES.indexOf(suffix.charAt(0)) + 1) * 10;
      case DECIMAL -> suffix.isEmpty() ? 0 : DECIMAL_SUFFIXES.indexOf(suffix) * 3 - 9;
    };
  }

  /** The canonical form of a positive number; empty if there is no suffix that is large enough. */
  static String print(BigDecimal size, Format format) {
    BigDecimal stripped = size.stripTrailingZeros();
    return format == Format.BINARY
            && size.compareTo(new BigDecimal(KIBI)) >= 0
            && stripped.scale() <= 0
        ? binary(size.toBigIntegerExact())
        : decimal(stripped, format);
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

  private static String decimal(BigDecimal stripped, Format format) {
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
    return suffix < DECIMAL_SUFFIXES.length() ? number + DECIMAL_SUFFIXES.charAt(suffix) : "";
  }

  private static int suffixAt(String text) {
    int at = text.startsWith("+") || text.startsWith("-") ? 1 : 0;
    int numberAt = at;
    at = digits(text, at);
    int digits = at - numberAt;
    if (at < text.length() && text.charAt(at) == '.') {
      int pointAt = at;
      at = digits(text, at + 1);
      digits += at - pointAt - 1;
    }
    int suffixAt = at;
    while (at < text.length() && SUFFIX_LETTERS.indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    if (at < text.length() && (text.charAt(at) == '-' || text.charAt(at) == '+')) {
      at++;
    }
    at = digits(text, at);
    if (text.isEmpty() || at < text.length()) {
      throw new ValueFormatException(
          "quantities must match the regular expression"
              + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    if (!isSuffix(text.substring(suffixAt))) {
      throw new ValueFormatException("unable to parse quantity's suffix");
    }
    if (digits == 0) {
      throw new ValueFormatException("unable to parse numeric part of quantity");
    }
    if (digits > LARGEST || exponentBeyond(text, suffixAt)) {
      throw new ValueFormatException(
          "quantities must have at most 1000 digits and exponents of at most 1000");
    }
    return suffixAt;
  }

  private static boolean isSuffix(String suffix) {
    return switch (suffix) {
      case "", "n", "u", "m", "k", "M", "G", "T", "P", "E" -> true;
      case "Ki", "Mi", "Gi", "Ti", "Pi", "Ei" -> true;
      default -> isExponent(suffix);
    };
  }

  /** {@code e3}, {@code E-3}: a decimal exponent that fits an integer. */
  private static boolean isExponent(String suffix) {
    if (suffix.length() < 2 || (suffix.charAt(0) != 'e' && suffix.charAt(0) != 'E')) {
      return false;
    }
    int at = suffix.charAt(1) == '-' || suffix.charAt(1) == '+' ? 2 : 1;
    int end = digits(suffix, at);
    return end == suffix.length() && end > at && end - at <= 9;
  }

  private static boolean exponentBeyond(String text, int suffixAt) {
    int digitsAt = text.length();
    while (digitsAt > suffixAt && Character.isDigit(text.charAt(digitsAt - 1))) {
      digitsAt--;
    }
    return digitsAt > suffixAt
        && digitsAt < text.length()
        && Integer.parseInt(text.substring(digitsAt)) > LARGEST;
  }

  private static int digits(String text, int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at;
  }
}
