package dev.keelson.cel.cost;

/**
 * A size or cost between two limits; {@link Long#MAX_VALUE} is unbounded.
 *
 * @param min the least, at least 0
 * @param max the most
 */
public record Range(long min, long max) {

  static final Range UNKNOWN = new Range(0, Long.MAX_VALUE);
  static final Range ZERO = new Range(0, 0);
  static final Range ONE = new Range(1, 1);

  static Range of(long exact) {
    return new Range(exact, exact);
  }

  Range plus(Range other) {
    return new Range(sum(min, other.min), sum(max, other.max));
  }

  Range times(Range other) {
    return new Range(product(min, other.min), product(max, other.max));
  }

  /** The product with a factor, rounded up. */
  Range times(double factor) {
    return new Range(product(min, factor), product(max, factor));
  }

  /** The smallest range with both. */
  Range or(Range other) {
    return new Range(Math.min(min, other.min), Math.max(max, other.max));
  }

  private static long sum(long one, long other) {
    return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
  }

  /** The product of two costs, at most unbounded. */
  public static long product(long one, long other) {
    return one != 0 && other > Long.MAX_VALUE / one ? Long.MAX_VALUE : one * other;
  }

  private static long product(long number, double factor) {
    // casts of greater numbers give the greatest
    return number == Long.MAX_VALUE ? Long.MAX_VALUE : (long) Math.ceil(number * factor);
  }
}
