package dev.keelson.value;

import dev.keelson.value.QuantityText.Format;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An amount of a resource, such as {@code 500m} or {@code 1.5Gi} (source: apimachinery's {@code
 * resource.Quantity}). Equal amounts are equal however they are written.
 *
 * <p>Parts below a billionth are rounded away from zero; amounts with a binary suffix end at
 * 2^63-1. Beyond Kubernetes, a quantity has at most 1,000 digits and an exponent of at most 1,000.
 */
public final class Quantity implements Comparable<Quantity> {

  private final BigDecimal amount;
  private final Format format;

  /**
   * Whether Kubernetes keeps it in 64 bits, which are scaled as {@link #amount} is: it reads whole
   * numbers from such quantities only.
   */
  private final boolean isShort;

  /** The text that it was read from; null for a result of arithmetic. */
  private final @Nullable QuantityText text;

  private Quantity(BigDecimal amount, Format format, boolean isShort, @Nullable QuantityText text) {
    this.amount = amount;
    this.format = format;
    this.isShort = isShort;
    this.text = text;
  }

  /**
   * Reads a quantity. White space around it is an error.
   *
   * @throws ValueFormatException in Kubernetes' words if the text is none
   */
  public static Quantity parse(String text) {
    QuantityText parts = QuantityText.of(text);
    return new Quantity(parts.amount(), parts.format(), parts.isShort(), parts);
  }

  /** Reads a quantity as {@link #parse} does; empty if the text is none. */
  public static Optional<Quantity> tryParse(String text) {
    try {
      return Optional.of(parse(text));
    } catch (ValueFormatException no) {
      return Optional.empty();
    }
  }

  /** A whole number. */
  public static Quantity of(long number) {
    return new Quantity(BigDecimal.valueOf(number), Format.DECIMAL, true, null);
  }

  /**
   * The form in which Kubernetes prints a quantity that it has read; the same instance if the text
   * has it.
   *
   * @throws ValueFormatException as {@link #parse}
   */
  public static String canonical(String text) {
    return QuantityText.of(text).canonical();
  }

  /**
   * Whether a quantity is in the form that {@link #canonical} gives; false if it is no quantity.
   *
   * @param ascii holds the text from {@code from} to before {@code to}
   */
  public static boolean isCanonical(byte[] ascii, int from, int to) {
    String text = new String(ascii, from, to - from, StandardCharsets.ISO_8859_1);
    try {
      return canonical(text).equals(text);
    } catch (ValueFormatException no) {
      return false;
    }
  }

  /** The amount as a number. */
  public BigDecimal amount() {
    return amount;
  }

  /** The sum, in the format of this quantity, or of the other one if this is zero. */
  public Quantity plus(Quantity other) {
    return sum(other, other.amount);
  }

  /** The difference, in the format of this quantity, or of the other one if this is zero. */
  public Quantity minus(Quantity other) {
    return sum(other, other.amount.negate());
  }

  /** The sum with the amount of another quantity, which may have the opposite sign. */
  private Quantity sum(Quantity other, BigDecimal more) {
    BigDecimal sum;
    if (more.signum() == 0) {
      sum = amount;
    } else if (amount.signum() == 0) {
      sum = more;
    } else {
      sum = amount.add(more);
    }
    boolean fits =
        isShort
            && other.isShort
            && fitsLong(amount, sum.scale())
            && fitsLong(more, sum.scale())
            && fitsLong(sum, sum.scale());
    return new Quantity(sum, formatWith(other), fits, null);
  }

  /** Whether an amount is a number of 64 bits if it is written with some decimal places. */
  private static boolean fitsLong(BigDecimal amount, int decimals) {
    return amount.signum() == 0
        || amount.setScale(decimals, RoundingMode.UNNECESSARY).unscaledValue().bitLength()
            < Long.SIZE;
  }

  private Format formatWith(Quantity other) {
    return amount.signum() == 0 ? other.format : format;
  }

  /** The same without a fraction, rounded away from zero. */
  public Quantity roundedUp() {
    return amount.scale() <= 0
        ? this
        : new Quantity(amount.setScale(0, RoundingMode.UP), format, isShort, null);
  }

  /** The same with at most {@code decimals} decimal places, rounded away from zero. */
  public Quantity roundedUpTo(int decimals) {
    return amount.scale() <= decimals
        ? this
        : new Quantity(amount.setScale(decimals, RoundingMode.UP), format, isShort, null);
  }

  /** -1, 0 or 1. */
  public int signum() {
    return amount.signum();
  }

  /**
   * Whether Kubernetes reads it as a whole number: it is written without fractions, with few enough
   * digits, and fits 64 bits. {@code 1000m} and {@code 1Pi} do not count.
   */
  public boolean isInteger() {
    return isShort && amount.scale() <= 0 && fitsLong(amount, 0);
  }

  /** The amount as a floating-point number, with the rounding errors of Kubernetes. */
  public double approximation() {
    int scale = amount.scale();
    return isShort && scale != 0
        ? amount.unscaledValue().doubleValue() * Double.parseDouble("1e" + -scale)
        : amount.doubleValue();
  }

  /**
   * The amount as an integer.
   *
   * @throws IllegalArgumentException unless it {@link #isInteger}
   */
  public long longValue() {
    if (!isInteger()) {
      throw new IllegalArgumentException("cannot convert value to integer");
    }
    return amount.longValueExact();
  }

  @Override
  public int compareTo(Quantity other) {
    return amount.compareTo(other.amount);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Quantity quantity && amount.compareTo(quantity.amount) == 0;
  }

  @Override
  public int hashCode() {
    return amount.stripTrailingZeros().hashCode();
  }

  /** The canonical form. */
  @Override
  public String toString() {
    if (text != null) {
      return text.canonical();
    }
    if (amount.signum() == 0) {
      return "0";
    }
    String printed = QuantityText.print(amount.abs(), format);
    if (printed.isEmpty()) {
      printed = QuantityText.print(amount.abs(), Format.EXPONENT);
    }
    return amount.signum() < 0 ? "-" + printed : printed;
  }
}
