package dev.keelson.schema.codec.yaml;

/**
 * How a string is written in YAML, by the rules of go-yaml v2 (libyaml).
 *
 * @param style the style
 * @param multiline whether it has line breaks
 * @param utf8Length its size in UTF-8
 */
record YamlText(Style style, boolean multiline, int utf8Length) {

  /** The styles in use. */
  enum Style {
    PLAIN,
    SINGLE_QUOTED,
    DOUBLE_QUOTED,
    LITERAL
  }

  /** The form of a string as a value. */
  static YamlText of(String text) {
    if (text.isEmpty()) {
      return new YamlText(Style.DOUBLE_QUOTED, false, 0);
    }
    int utf8Length = 0;
    boolean lines = false;
    boolean special = false;
    boolean indicator = leadingIndicator(text);
    boolean spaceBeforeBreak = false;
    int before = ' ';
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      utf8Length += c < 0x80 ? 1 : c < 0x800 ? 2 : Character.isSurrogate(c) ? 2 : 3;
      if (c == '\n') {
        lines = true;
        spaceBeforeBreak |= before == ' ' && i > 0;
      } else if (c == '#') {
        indicator |= before == ' ' || before == '\n';
      } else if (c == ':') {
        indicator |= blankAt(text, i + 1);
      } else if (c < ' ' || c > '~') {
        special |= !printable(c);
      }
      before = c;
    }
    return new YamlText(
        style(text, lines, special || spaceBeforeBreak, indicator), lines, utf8Length);
  }

  private static Style style(String text, boolean lines, boolean special, boolean indicator) {
    boolean spaceAtEnd = text.charAt(text.length() - 1) == ' ';
    if (lines) {
      return special || spaceAtEnd || text.isBlank() ? Style.DOUBLE_QUOTED : Style.LITERAL;
    }
    if (special || YamlScalars.ambiguous(text)) {
      return Style.DOUBLE_QUOTED;
    }
    return indicator || spaceAtEnd || text.charAt(0) == ' ' ? Style.SINGLE_QUOTED : Style.PLAIN;
  }

  /** Whether the text begins with something that would be taken for YAML's own punctuation. */
  private static boolean leadingIndicator(String text) {
    return switch (text.charAt(0)) {
      case '#', ',', '[', ']', '{', '}', '&', '*', '!', '|', '>', '\'', '"', '%', '@', '`' -> true;
      case '?' -> blankAt(text, 1);
      case '-' -> blankAt(text, 1) || text.startsWith("---");
      case '.' -> text.startsWith("...");
      default -> false;
    };
  }

  private static boolean blankAt(String text, int at) {
    return at >= text.length() || text.charAt(at) == ' ' || text.charAt(at) == '\t';
  }

  /**
   * Whether the character stands for itself. Tabs do not, nor anything beyond the basic plane, as
   * in go-yaml; nor the breaks of YAML 1.1 that YAML 1.2 does not know.
   */
  static boolean printable(int point) {
    return (point >= ' ' && point <= '~')
        || (point >= 0xA0 && point < 0xD800 && point != 0x2028 && point != 0x2029)
        || (point >= 0xE000 && point < 0xFEFF)
        || (point > 0xFEFF && point <= 0xFFFD);
  }
}
