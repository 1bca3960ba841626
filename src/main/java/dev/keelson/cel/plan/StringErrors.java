package dev.keelson.cel.plan;

/** Why a function of the strings library fails, in cel-go's words (source: ext/strings.go). */
final class StringErrors {

  private StringErrors() {}

  /**
   * The message for arguments that the function does not take.
   *
   * @return empty if the function is not one with positions in a text
   */
  static String of(String function, Object[] arguments) {
    if (!(arguments.length > 0 && arguments[0] instanceof String text)) {
      return "";
    }
    long length = text.codePointCount(0, text.length());
    long first = arguments.length > 1 && arguments[1] instanceof Long at ? at : 0;
    long second = arguments.length > 2 && arguments[2] instanceof Long at ? at : 0;
    return switch (function) {
      case "charAt" -> outOfRange(first);
      case "indexOf", "lastIndexOf" -> outOfRange(second);
      case "substring" -> {
        if (arguments.length == 2 || first < 0 || first > length) {
          yield outOfRange(first);
        }
        yield first > second && second >= 0
            ? "invalid substring range. start: " + first + ", end: " + second
            : outOfRange(second);
      }
      default -> "";
    };
  }

  private static String outOfRange(long index) {
    return "index out of range: " + index;
  }
}
