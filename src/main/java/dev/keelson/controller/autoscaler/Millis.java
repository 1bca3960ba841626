package dev.keelson.controller.autoscaler;

import dev.keelson.object.Node;
import dev.keelson.value.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Thousandths, in which autoscalers count (source: {@code resource.Quantity}). */
final class Millis {

  private static final long THOUSAND = 1000;
  private static final long KIBI = 1024;
  private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
  private static final BigDecimal LONGEST = BigDecimal.valueOf(Long.MAX_VALUE);

  private Millis() {}

  /** The thousandths of a quantity, rounded away from zero; the greatest long if there are more. */
  static long of(Quantity quantity) {
    BigDecimal millis = quantity.amount().movePointRight(3).setScale(0, RoundingMode.UP);
    return millis.min(LONGEST).max(LONGEST.negate()).longValueExact();
  }

  /** The thousandths of a field with a quantity; null if there is none. */
  static @Nullable Long of(@Nullable Node value) {
    return switch (value) {
      case Node.Text text -> Quantity.tryParse(text.value()).map(Millis::of).orElse(null);
      case Node.Int number -> of(Quantity.of(number.value()));
      case null, default -> null;
    };
  }

  /** A quantity of so many thousandths. */
  static Node.Text decimal(long millis) {
    return Node.text(Quantity.canonical(millis + "m"));
  }

  /**
   * A quantity of so many thousandths with a suffix such as {@code Mi}, if it is a whole number of
   * at least 1024.
   */
  static Node.Text binary(long millis) {
    if (millis % THOUSAND != 0 || Math.abs(millis) < KIBI * THOUSAND) {
      return decimal(millis);
    }
    long whole = millis / THOUSAND;
    int suffix = 0;
    while (whole % KIBI == 0 && suffix < BINARY.size() - 1) {
      whole /= KIBI;
      suffix++;
    }
    return Node.text(whole + BINARY.get(suffix));
  }

  /** A sum that stops at the greatest long. */
  static long sum(long left, long right) {
    long sum = left + right;
    return left > 0 && right > 0 && sum < 0 ? Long.MAX_VALUE : sum;
  }
}
