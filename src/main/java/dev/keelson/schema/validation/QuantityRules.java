package dev.keelson.schema.validation;

import dev.keelson.value.Quantity;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Resource quantities; the decoder has checked their syntax. */
public final class QuantityRules {
  private QuantityRules() {}

  /** The number of a quantity, a string or a JSON number; null if it is none. */
  public static @Nullable BigDecimal number(Value value) {
    String text = value.isNumber() ? Long.toString(value.number()) : value.text();
    return Quantity.tryParse(text).map(Quantity::amount).orElse(null);
  }

  /** Requires a quantity to be 0 or more; one without a sign is not parsed. */
  public static void nonNegative(Value value) {
    if (value.text().startsWith("-") || value.number() < 0) {
      BigDecimal number = number(value);
      if (number != null && number.signum() < 0) {
        value.invalid(text(value), "must be greater than or equal to 0");
      }
    }
  }

  /** Requires a quantity to be above 0. */
  public static void positive(Value value) {
    BigDecimal number = number(value);
    if (number != null && number.signum() <= 0) {
      value.invalid(text(value), "must be greater than zero");
    }
  }

  public static void integer(Value value) {
    BigDecimal number = number(value);
    if (number != null && number.setScale(0, RoundingMode.DOWN).compareTo(number) != 0) {
      value.invalid(text(value), "must be an integer");
    }
  }

  /** The sum of two quantities, as Kubernetes prints it. */
  public static String sum(Value left, Value right) {
    return Quantity.parse(text(left)).plus(Quantity.parse(text(right))).toString();
  }

  public static String text(Value value) {
    return value.isNumber() ? Long.toString(value.number()) : value.text();
  }

  /** Whether {@code left} is more than {@code right}; false if one of them is no quantity. */
  public static boolean greater(Value left, Value right) {
    if (left.sameAs(right)) {
      return false;
    }
    BigDecimal a = number(left);
    BigDecimal b = number(right);
    return a != null && b != null && a.compareTo(b) > 0;
  }

  public static boolean equal(Value left, Value right) {
    if (left.sameAs(right)) {
      return true;
    }
    BigDecimal a = number(left);
    BigDecimal b = number(right);
    return a != null && b != null && a.compareTo(b) == 0;
  }
}
