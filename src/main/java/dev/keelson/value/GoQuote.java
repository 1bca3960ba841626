package dev.keelson.value;

import java.util.HexFormat;

/** Text in double quotes, as Go's {@code %q} prints it in messages. */
public final class GoQuote {

  private GoQuote() {}

  /** {@code text} in double quotes: quotes, backslashes and what is not printable escaped. */
  public static String quote(String text) {
    StringBuilder out = new StringBuilder(text.length() + 2);
    append(text, out);
    return out.toString();
  }

  /** Appends {@code text} to {@code out} as {@link #quote} has it. */
  public static void append(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); ) {
      int c = text.codePointAt(i);
      i += Character.charCount(c);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case 0x07 -> out.append("\\a");
        case '\b' -> out.append("\\b");
        case '\f' -> out.append("\\f");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        case 0x0b -> out.append("\\v");
        default -> {
          if (isPrintable(c)) {
            out.appendCodePoint(c);
          } else if (c < 0x80) {
            out.append("\\x").append(HexFormat.of().toHexDigits((byte) c));
          } else if (c < 0x10000) {
            out.append("\\u").append(HexFormat.of().toHexDigits((char) c));
          } else {
            out.append("\\U").append(HexFormat.of().toHexDigits(c));
          }
        }
      }
    }
    out.append('"');
  }

  /**
   * Go's {@code unicode.IsPrint}: whether a character is a letter, mark, number, punctuation,
   * symbol or the space.
   *
   * @param character a code point
   */
  public static boolean isPrintable(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      case Character.SPACE_SEPARATOR -> character == ' ';
      default -> true;
    };
  }
}
