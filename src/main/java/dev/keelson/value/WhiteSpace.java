package dev.keelson.value;

/** White space as Go's {@code unicode.IsSpace} has it, which is not that of the JDK. */
public final class WhiteSpace {

  private WhiteSpace() {}

  /** Whether {@code text} begins or ends with white space. */
  public static boolean surrounds(String text) {
    return !text.isEmpty() && (isOne(text.charAt(0)) || isOne(text.charAt(text.length() - 1)));
  }

  /** Whether {@code c} is white space. */
  public static boolean isOne(char c) {
    return switch (c) {
      case '\t', '\n', 0x0b, '\f', '\r', ' ', 0x85, 0xa0, 0x1680 -> true;
      case 0x2028, 0x2029, 0x202f, 0x205f, 0x3000 -> true;
      default -> c >= 0x2000 && c <= 0x200a;
    };
  }
}
