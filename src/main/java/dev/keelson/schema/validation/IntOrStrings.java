package dev.keelson.schema.validation;

/** Fields that hold a number, a percentage or a name (IntOrString). */
public final class IntOrStrings {
  private IntOrStrings() {}

  /** A number from 0, or a percentage. */
  public static void validateNonNegativeIntOrPercent(Value value) {
    if (value.isText()) {
      String text = value.text();
      if (percent(value) < 0) {
        value.invalid(
            text,
            "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%', "
                + " or '93%', regex used for validation is '[0-9]+%')");
      }
    } else {
      value.nonNegative();
    }
  }

  public static void validateNotMoreThan100Percent(Value value) {
    if (percent(value) > 100) {
      value.invalid("must not be greater than 100%");
    }
  }

  /** The percentage that a text says, or -1. */
  private static int percent(Value value) {
    String text = value.text();
    return text.endsWith("%")
        ? Formats.decimal(text.substring(0, text.length() - 1), Integer.MAX_VALUE)
        : -1;
  }

  /** What is neither a number nor a percentage counts as zero, as in Kubernetes. */
  public static boolean isZero(Value value) {
    if (value.isText()) {
      int percent = percent(value);
      return percent == 0 || (percent < 0 && Formats.decimal(value.text(), Integer.MAX_VALUE) <= 0);
    }
    return value.isNumber() && value.number() == 0;
  }

  /** A port by number or by name. */
  public static void validatePortNumOrName(Value port) {
    if (port.isText()) {
      String problem = Formats.PORT_NAME.apply(port.text());
      if (!problem.isEmpty()) {
        port.invalid(problem);
      }
    } else {
      port.orZero().port();
    }
  }
}
