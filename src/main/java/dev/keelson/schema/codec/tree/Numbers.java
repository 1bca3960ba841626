package dev.keelson.schema.codec.tree;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.schema.codec.tree.Tokens.Token;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/** The number at the current token, as Go's types have it; null if it is none of them. */
final class Numbers {

  private static final BigInteger UINT64_LIMIT = BigInteger.ONE.shiftLeft(64);

  private Numbers() {}

  /** An integer without point and exponent, within bounds. */
  static @Nullable Node integer(Tokens tokens, long low, long high) {
    Token token = tokens.current();
    if (token == Token.INT) {
      long value = tokens.longValue();
      return value >= low && value <= high ? new Int(value) : null;
    }
    // Go reads the text -0 as the integer 0
    return token == Token.DECIMAL && tokens.text().equals("-0") && low < 0 ? new Int(0) : null;
  }

  /** A whole number that is written with a point or an exponent, within bounds. */
  static @Nullable Node whole(Tokens tokens, long low, long high) {
    if (tokens.current() != Token.DECIMAL) {
      return null;
    }
    double value = Double.parseDouble(tokens.text());
    return value == Math.rint(value) && value >= low && value <= high
        ? new Int((long) value)
        : null;
  }

  static @Nullable Node unsigned(Tokens tokens) {
    Token token = tokens.current();
    if (token == Token.INT && tokens.longValue() >= 0) {
      return new Int(tokens.longValue());
    }
    if (token == Token.DECIMAL && tokens.text().chars().allMatch(c -> c >= '0' && c <= '9')) {
      String literal = tokens.text();
      if (new BigInteger(literal).compareTo(UINT64_LIMIT) < 0) {
        return new Decimal(literal);
      }
    }
    return null;
  }

  static @Nullable Node floating(Tokens tokens) {
    if (tokens.current() != Token.INT && tokens.current() != Token.DECIMAL) {
      return null;
    }
    double value = Double.parseDouble(tokens.text());
    return Double.isInfinite(value) ? null : DoubleText.node(value);
  }
}
