package dev.keelson.registry.core;

import dev.keelson.object.Node;
import java.math.BigDecimal;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Amounts such as {@code 100m} or {@code 1Gi} as numbers. */
final class Quantity {

  private static final Map<String, BigDecimal> SUFFIXES =
      Map.ofEntries(
          Map.entry("n", BigDecimal.valueOf(1, 9)),
          Map.entry("u", BigDecimal.valueOf(1, 6)),
          Map.entry("m", BigDecimal.valueOf(1, 3)),
          Map.entry("", BigDecimal.ONE),
          Map.entry("k", BigDecimal.valueOf(1, -3)),
          Map.entry("M", BigDecimal.valueOf(1, -6)),
          Map.entry("G", BigDecimal.valueOf(1, -9)),
          Map.entry("T", BigDecimal.valueOf(1, -12)),
          Map.entry("P", BigDecimal.valueOf(1, -15)),
          Map.entry("E", BigDecimal.valueOf(1, -18)),
          Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
          Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
          Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
          Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
          Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
          Map.entry("Ei", BigDecimal.valueOf(1L << 60)));

  private Quantity() {}

  /** The number that a quantity stands for; 0 if it is none, which validation tells. */
  static BigDecimal of(@Nullable Node node) {
    return switch (node) {
      case Node.Int number -> BigDecimal.valueOf(number.value());
      case Node.Decimal number -> parse(number.literal());
      case Node.Text text -> parse(text.value());
      case null, default -> BigDecimal.ZERO;
    };
  }

  private static BigDecimal parse(String text) {
    int end = text.length();
    while (end > 0 && Character.isLetter(text.charAt(end - 1))) {
      end--;
    }
    BigDecimal unit = SUFFIXES.get(text.substring(end));
    try {
      // an exponent such as 1e3 ends in digits, so that its letter is not taken for a suffix
      return unit == null ? BigDecimal.ZERO : new BigDecimal(text.substring(0, end)).multiply(unit);
    } catch (NumberFormatException e) {
      return BigDecimal.ZERO;
    }
  }
}
