package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoFloat;
import org.jspecify.annotations.Nullable;

/**
 * What a schema asks of numbers. Integers are compared with the integer part of a bound, as Go
 * does.
 *
 * @param type the type if its format limits the range: {@code integer} or {@code number}, else
 *     empty
 * @param format the format of numbers, for example {@code int32}, or empty
 */
record NumberRules(
    String type,
    String format,
    @Nullable Double multipleOf,
    @Nullable Double minimum,
    boolean exclusiveMinimum,
    @Nullable Double maximum,
    boolean exclusiveMaximum) {

  private static final double LARGEST_INTEGER = 0x1p53 - 1;
  private static final double EPSILON = 1e-9;

  /** The rules of a schema; null if there are none. */
  static @Nullable NumberRules of(MapNode schema, String type, String format) {
    NumberRules rules =
        new NumberRules(
            format.isEmpty() ? "" : type,
            format,
            number(schema, "multipleOf"),
            number(schema, "minimum"),
            schema.get("exclusiveMinimum") == Node.Bool.TRUE,
            number(schema, "maximum"),
            schema.get("exclusiveMaximum") == Node.Bool.TRUE);
    return rules.type.isEmpty()
            && rules.multipleOf == null
            && rules.minimum == null
            && rules.maximum == null
        ? null
        : rules;
  }

  private static @Nullable Double number(MapNode schema, String name) {
    return switch (schema.get(name)) {
      case Node.Int number -> (double) number.value();
      case Node.Decimal number -> Double.parseDouble(number.literal());
      case null, default -> null;
    };
  }

  void check(Node value, Place at, Findings findings) {
    double number =
        value instanceof Node.Int whole
            ? whole.value()
            : Double.parseDouble(((Node.Decimal) value).literal());
    inRange(number, "Checked", at, findings);
    if (multipleOf != null) {
      boolean whole = inRange(multipleOf, "MultipleOf", at, findings);
      multiple(value, number, multipleOf, whole, at, findings);
    }
    if (minimum != null) {
      boolean whole = inRange(minimum, "Minimum boundary", at, findings);
      if (compare(value, number, minimum, whole) < (exclusiveMinimum ? 1 : 0)) {
        findings.invalid(
            at,
            value,
            "should be greater than "
                + (exclusiveMinimum ? "" : "or equal to ")
                + shown(value, minimum, whole));
      }
    }
    if (maximum != null) {
      boolean whole = inRange(maximum, "Maximum boundary", at, findings);
      if (compare(value, number, maximum, whole) > (exclusiveMaximum ? -1 : 0)) {
        findings.invalid(
            at,
            value,
            "should be less than "
                + (exclusiveMaximum ? "" : "or equal to ")
                + shown(value, maximum, whole));
      }
    }
  }

  private static void multiple(
      Node value, double number, double factor, boolean whole, Place at, Findings findings) {
    if (factor < 0) {
      findings.invalidValue(
          at,
          bound(value, factor, whole),
          "factor MultipleOf declared for "
              + at.text()
              + " must be positive: "
              + shown(value, factor, whole));
      return;
    }
    boolean fits =
        (whole && value instanceof Node.Int integer && (long) factor != 0)
            ? integer.value() % (long) factor == 0
            : isInteger(factor < 1 ? (1 / factor) * number : number / factor);
    if (!fits) {
      findings.invalid(at, value, "should be a multiple of " + shown(value, factor, whole));
    }
  }

  private static int compare(Node value, double number, double bound, boolean whole) {
    return whole && value instanceof Node.Int integer
        ? Long.compare(integer.value(), (long) bound)
        : Double.compare(number, bound);
  }

  private static Node bound(Node value, double bound, boolean whole) {
    return whole && value instanceof Node.Int
        ? new Node.Int((long) bound)
        : new Node.Decimal(GoFloat.json(bound));
  }

  private static String shown(Node value, double bound, boolean whole) {
    return whole && value instanceof Node.Int ? Long.toString((long) bound) : GoFloat.print(bound);
  }

  /** Whether a number of the schema or the value itself is in the range of the format. */
  private boolean inRange(double number, String what, Place at, Findings findings) {
    boolean in =
        switch (type) {
          case "integer" ->
              number == Math.rint(number)
                  && (format.equals("int32")
                      ? number >= Integer.MIN_VALUE && number <= Integer.MAX_VALUE
                      : number >= Long.MIN_VALUE && number < 0x1p63);
          case "number" -> !format.equals("float") || Math.abs(number) <= Float.MAX_VALUE;
          default -> true;
        };
    if (!in) {
      findings.withoutField(
          what + " value must be of type " + type + " with format " + format + " in " + at.text());
    }
    return in;
  }

  /** Whether a number is an integer in JSON's eyes, give or take a rounding error. */
  private static boolean isInteger(double number) {
    if (Double.isNaN(number) || Math.abs(number) > LARGEST_INTEGER) {
      return false;
    }
    double nearest = Math.rint(number);
    return number == nearest
        || Math.abs(number - nearest) / (Math.abs(number) + Math.abs(nearest)) < EPSILON;
  }
}
