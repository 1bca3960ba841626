package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import java.math.BigDecimal;

/** Floating point numbers as Go's {@code encoding/json} prints them. */
public final class DoubleText {

  private DoubleText() {}

  /** The number as a node whose JSON is what Go prints for it; {@code value} is finite. */
  public static Node node(double value) {
    long whole = (long) value;
    if (whole == value && Math.abs(value) < 1L << 53 && (whole != 0 || 1 / value > 0)) {
      return new Node.Int(whole);
    }
    return new Node.Decimal(print(value));
  }

  /** The shortest digits that read back, with an exponent only where ECMAScript has one too. */
  private static String print(double value) {
    if (value == 0) {
      return "-0";
    }
    BigDecimal shortest = new BigDecimal(Double.toString(value)).stripTrailingZeros();
    double size = Math.abs(value);
    if (size >= 1e-6 && size < 1e21) {
      return shortest.toPlainString();
    }
    String digits = shortest.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    return (value < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." + digits.substring(1) : "")
        + (exponent < 0 ? "e-" : "e+")
        + Math.abs(exponent);
  }
}
