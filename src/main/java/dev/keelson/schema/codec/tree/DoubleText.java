package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.value.GoFloat;

/** Floating point numbers as Go's {@code encoding/json} prints them. */
public final class DoubleText {

  private DoubleText() {}

  /** The number as a node whose JSON is what Go prints for it; {@code value} is finite. */
  public static Node node(double value) {
    long whole = (long) value;
    if (whole == value && Math.abs(value) < 1L << 53 && (whole != 0 || 1 / value > 0)) {
      return new Node.Int(whole);
    }
    return new Node.Decimal(GoFloat.json(value));
  }
}
