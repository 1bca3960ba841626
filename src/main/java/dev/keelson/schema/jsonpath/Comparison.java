package dev.keelson.schema.jsonpath;

import dev.keelson.object.Node;

/** The comparisons of filters: those of Go's templates, which compare values of one type only. */
final class Comparison {

  private Comparison() {}

  /**
   * Whether a comparison holds.
   *
   * @throws UnfollowableException if the values cannot be compared
   */
  static boolean holds(Node left, String operator, Node right) {
    return switch (operator) {
      case "==" -> equal(left, right);
      case "!=" -> !equal(left, right);
      case "<" -> order(left, right) < 0;
      case "<=" -> order(left, right) <= 0;
      case ">" -> order(left, right) > 0;
      case ">=" -> order(left, right) >= 0;
      default -> throw new UnfollowableException("unrecognized filter operator " + operator);
    };
  }

  private static boolean equal(Node left, Node right) {
    return (left instanceof Node.Bool && right instanceof Node.Bool)
        ? left == right
        : order(left, right) == 0;
  }

  private static int order(Node left, Node right) {
    if (left instanceof Node.Text(String some) && right instanceof Node.Text(String other)) {
      return some.compareTo(other);
    }
    if (left instanceof Node.Int(long some) && right instanceof Node.Int(long other)) {
      return Long.compare(some, other);
    }
    if (left instanceof Node.Decimal some && right instanceof Node.Decimal other) {
      return Double.compare(
          Double.parseDouble(some.literal()), Double.parseDouble(other.literal()));
    }
    throw new UnfollowableException("incompatible types for comparison");
  }
}
