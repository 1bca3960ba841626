package dev.keelson.api;

import java.math.BigDecimal;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Amounts such as {@code 100m}, {@code 1.5Gi} and {@code 1e3} as numbers (source: Kubernetes'
 * {@code resource.Quantity}). Whoever needs the exact syntax checks it before. Safe for use by any
 * thread.
 */
public final class Quantities {

  private static final String BINARY = "KMGTPE";
  private static final String SMALL = "num";

  private Quantities() {}

  /**
   * The number that {@code text} stands for, neither rounded nor cut, or null if it is no quantity.
   */
  public static @Nullable BigDecimal number(String text) {
    try {
      return parse(text.trim());
    } catch (NumberFormatException | ArithmeticException e) {
      // not a quantity: the caller tells the user, or has told
      return null;
    }
  }

  private static BigDecimal parse(String text) {
    int length = text.length();
    if (length > 2 && text.charAt(length - 1) == 'i') {
      int power = BINARY.indexOf(text.charAt(length - 2)) + 1;
      if (power > 0) {
        BigInteger unit = BigInteger.ONE.shiftLeft(10 * power);
        return new BigDecimal(text.substring(0, length - 2)).multiply(new BigDecimal(unit));
      }
    }
    if (length > 1) {
      char last = text.charAt(length - 1);
      int power = last == 'k' ? 1 : last == 'K' ? 0 : BINARY.indexOf(last) + 1;
      if (power > 0) {
        return new BigDecimal(text.substring(0, length - 1)).scaleByPowerOfTen(3 * power);
      }
      int small = SMALL.indexOf(last);
      if (small >= 0) {
        return new BigDecimal(text.substring(0, length - 1)).scaleByPowerOfTen(-9 + 3 * small);
      }
    }
    return new BigDecimal(text);
  }
}
