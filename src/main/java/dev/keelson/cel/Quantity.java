package dev.keelson.cel;

import dev.keelson.api.Quantities;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An amount such as {@code 1.5Gi} in an expression (source: {@code resource.ParseQuantity}). Equal
 * amounts are equal however they are written.
 */
final class Quantity {

  private static final Pattern FORM =
      Pattern.compile(
          "[+-]?(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)"
              + "(?:n|u|m|k|[MGTPE]|[KMGTPE]i|[eE]([+-]?[0-9]{1,4}))?");

  /** Longer numbers are refused: whoever adds or compares them would write all digits out. */
  private static final int MOST_DIGITS = 1000;

  /** The smallest amount is a billionth: what is less becomes that much. */
  private static final int SCALE = 9;

  private static final BigDecimal LARGEST_BINARY = BigDecimal.valueOf(Long.MAX_VALUE);

  private final BigDecimal amount;

  private Quantity(BigDecimal amount) {
    this.amount = amount;
  }

  /**
   * Reads a quantity.
   *
   * @throws IllegalArgumentException in Kubernetes' words if it is none
   */
  static Quantity parse(String text) {
    Matcher parts = FORM.matcher(text);
    BigDecimal number =
        text.length() <= MOST_DIGITS && parts.matches() ? Quantities.number(text) : null;
    if (number == null) {
      throw new IllegalArgumentException(
          "quantities must match the regular expression"
              + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }
    String exponent = parts.group(1);
    if (exponent != null && Math.abs(Integer.parseInt(exponent)) > MOST_DIGITS) {
      throw new IllegalArgumentException("exponents of quantities must be at most 1000");
    }
    if (text.endsWith("i") && number.abs().compareTo(LARGEST_BINARY) > 0) {
      number = number.signum() < 0 ? LARGEST_BINARY.negate() : LARGEST_BINARY;
    }
    return new Quantity(number.scale() > SCALE ? number.setScale(SCALE, RoundingMode.UP) : number);
  }

  static boolean isQuantity(String text) {
    try {
      Quantity unused = parse(text);
      return true;
    } catch (IllegalArgumentException no) {
      return false;
    }
  }

  static Quantity of(long number) {
    return new Quantity(BigDecimal.valueOf(number));
  }

  Quantity plus(Quantity other) {
    return new Quantity(amount.add(other.amount));
  }

  Quantity minus(Quantity other) {
    return new Quantity(amount.subtract(other.amount));
  }

  long sign() {
    return amount.signum();
  }

  long compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  double approximately() {
    return amount.doubleValue();
  }

  /** Whether it is written without fractions and not too large: {@code 1000m} is not. */
  boolean isInteger() {
    return amount.scale() <= 0 && amount.toBigInteger().bitLength() < Long.SIZE;
  }

  /**
   * As an integer.
   *
   * @throws IllegalArgumentException if it is not {@link #isInteger}
   */
  long integer() {
    if (!isInteger()) {
      throw new IllegalArgumentException("cannot convert value to integer");
    }
    return amount.longValueExact();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Quantity quantity && amount.compareTo(quantity.amount) == 0;
  }

  @Override
  public int hashCode() {
    return amount.stripTrailingZeros().hashCode();
  }

  @Override
  public String toString() {
    return amount.toPlainString();
  }
}
