package dev.keelson.value;

import java.math.BigDecimal;

/** Floating point numbers as Go prints them: with the fewest digits that read back. */
public final class GoFloat {

  private static final int LEAST_PLAIN_EXPONENT = -4;
  private static final int LEAST_LARGE_EXPONENT = 6;

  private GoFloat() {}

  /**
   * The number that a JSON literal is.
   *
   * @throws ValueFormatException with Go's message if it is beyond the range of double precision
   */
  public static double parse(String literal) {
    double value = Double.parseDouble(literal);
    if (Double.isInfinite(value)) {
      throw new ValueFormatException(
          "json: cannot unmarshal number " + literal + " into Go value of type float64");
    }
    return value;
  }

  /** A finite number of double precision as {@code %g} and {@code %v} print it. */
  public static String print(double value) {
    return print(value, Double.toString(value));
  }

  /** A finite number with the digits of single precision, printed in the same way. */
  public static String print(float value) {
    return print(value, Float.toString(value));
  }

  /**
   * A finite number as {@code encoding/json} prints it: an exponent only where ECMAScript has one.
   */
  public static String json(double value) {
    if (value == 0) {
      return 1 / value > 0 ? "0" : "-0";
    }
    BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    double size = Math.abs(value);
    if (size >= 1e-6 && size < 1e21) {
      return shortest.toPlainString();
    }
    String digits = shortest.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    return mantissa(value, digits) + (exponent < 0 ? "e-" : "e+") + Math.abs(exponent);
  }

  private static String print(double value, String shortestDigits) {
    if (value == 0) {
      return 1 / value > 0 ? "0" : "-0";
    }
    BigDecimal shortest = new BigDecimal(shortestDigits).stripTrailingZeros();
    String digits = shortest.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    return exponent >= LEAST_PLAIN_EXPONENT && exponent < LEAST_LARGE_EXPONENT
        ? shortest.toPlainString()
        : scientific(value, digits, exponent);
  }

  private static String scientific(double value, String digits, int exponent) {
    int size = Math.abs(exponent);
    return mantissa(value, digits) + (exponent < 0 ? "e-" : "e+") + (size < 10 ? "0" : "") + size;
  }

  private static String mantissa(double value, String digits) {
    return (value < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "");
  }
}
