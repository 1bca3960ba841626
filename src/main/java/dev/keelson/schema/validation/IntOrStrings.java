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

  /** The percentage that a text says, in digits alone, or -1; as large as a number can be. */
  private static int percent(Value value) {
    String text = value.text();
    int end = text.length() - 1;
    if (end < 1 || text.charAt(end) != '%' || !isDigits(text, 0, end)) {
      return -1;
    }
    return clamped(text, 0, end);
  }

  private static boolean isDigits(String text, int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return from < to;
  }

  /** The number of some digits, however many there are. */
  private static int clamped(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      if (number > Integer.MAX_VALUE / 10 - 1) {
        return Integer.MAX_VALUE;
      }
      number = number * 10 + text.charAt(i) - '0';
    }
    return number;
  }

  /** Whether Go's {@code strconv.Atoi} reads zero from a text, as it does if it is no number. */
  private static boolean isZero(String text) {
    boolean signed = text.startsWith("-") || text.startsWith("+");
    int from = signed ? 1 : 0;
    return !isDigits(text, from, text.length()) || clamped(text, from, text.length()) == 0;
  }

  /** What is neither a number nor a percentage counts as zero, as in Kubernetes. */
  public static boolean isZero(Value value) {
    if (value.isText()) {
      int percent = percent(value);
      return percent < 0 ? isZero(value.text()) : percent == 0;
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
