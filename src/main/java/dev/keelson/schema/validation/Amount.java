package dev.keelson.schema.validation;

import dev.keelson.api.Quantities;
import java.math.BigDecimal;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/** Resource quantities as numbers; the decoder has seen to their syntax. */
final class Amount {

  private Amount() {}

  /** The number that {@code text} or a JSON number stands for, or null if it is no quantity. */
  static @Nullable BigDecimal of(Value value) {
    String text = value.isNumber() ? Long.toString(value.number()) : value.text();
    return Quantities.number(text);
  }

  /** Complains about a quantity below zero. Only a sign makes one, so nothing is parsed. */
  static void notNegative(Value value) {
    if (value.text().startsWith("-") || value.number() < 0) {
      BigDecimal number = of(value);
      if (number != null && number.signum() < 0) {
        value.invalid(shown(value), "must be greater than or equal to 0");
      }
    }
  }

  /** Complains about a quantity that is not above zero. */
  static void positive(Value value) {
    BigDecimal number = of(value);
    if (number != null && number.signum() <= 0) {
      value.invalid(shown(value), "must be greater than zero");
    }
  }

  static void whole(Value value) {
    BigDecimal number = of(value);
    if (number != null && number.setScale(0, RoundingMode.DOWN).compareTo(number) != 0) {
      value.invalid(shown(value), "must be an integer");
    }
  }

  static String shown(Value value) {
    return value.isNumber() ? Long.toString(value.number()) : value.text();
  }

  /** Whether {@code left} is more than {@code right}; false if one of them is no quantity. */
  static boolean more(Value left, Value right) {
    if (left.sameAs(right)) {
      return false;
    }
    BigDecimal a = of(left);
    BigDecimal b = of(right);
    return a != null && b != null && a.compareTo(b) > 0;
  }

  static boolean equal(Value left, Value right) {
    if (left.sameAs(right)) {
      return true;
    }
    BigDecimal a = of(left);
    BigDecimal b = of(right);
    return a != null && b != null && a.compareTo(b) == 0;
  }
}
