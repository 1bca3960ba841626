package dev.keelson.schema.codec.yaml;

/**
 * Replaces tabs that separate tokens by spaces, which the engine's scanner does not do: inside flow
 * collections, also at the beginning of a line, and between a key and its value. Tabs in scalars,
 * in comments and in the indentation of blocks stay, and the engine decides about these (YAML 1.2,
 * section 6.2; source: {@code yaml_parser_scan_to_next_token} of go-yaml).
 *
 * <p>One pass over a text; used once, by one thread.
 */
final class YamlTabs {

  private static final int NONE = -1;

  private final String text;
  private final StringBuilder replaced;
  private int at;

  /** Number of open flow collections. */
  private int flow;

  /** Whether a node may begin here. */
  private boolean start = true;

  /** The key whose value follows on this line; a tab is indentation behind a dash. */
  private boolean behindKey;

  /** Column of the last dash or key on the line of a block. */
  private int parent;

  private int lineStart;

  private YamlTabs(String text) {
    this.text = text;
    replaced = new StringBuilder(text);
  }

  /** The text with spaces in place of tabs between tokens. */
  static String replace(String text) {
    return text.indexOf('\t') < 0 ? text : new YamlTabs(text).run();
  }

  private String run() {
    while (at < text.length()) {
      char c = text.charAt(at);
      switch (c) {
        case '\n' -> newLine();
        case '\t' -> tab();
        case ' ', '\r' -> at++;
        case '#' -> {
          if (at == 0 || isBlank(text.charAt(at - 1))) {
            toLineEnd();
          } else {
            plain();
          }
        }
        default -> {
          if (start) {
            begin(c);
          } else if (flow > 0 && isFlowIndicator(c)) {
            indicator(c);
          } else if (c == ':' && endsKey()) {
            behindKey = flow == 0;
            start = true;
            at++;
          } else {
            plain();
          }
        }
      }
    }
    return replaced.toString();
  }

  private void newLine() {
    at++;
    lineStart = at;
    start |= flow == 0;
    behindKey = false;
    parent = NONE;
  }

  private void tab() {
    if (flow > 0 ? separates() : behindKey && start) {
      replaced.setCharAt(at, ' ');
    }
    at++;
  }

  /** Whether the white space around a tab of a flow collection is outside of plain scalars. */
  private boolean separates() {
    if (start) {
      return true;
    }
    int next = at;
    while (next < text.length() && (text.charAt(next) == ' ' || text.charAt(next) == '\t')) {
      next++;
    }
    char end = next < text.length() ? text.charAt(next) : '\n';
    boolean line = text.substring(lineStart, at).isBlank();
    return line || end == '\n' || end == '\r' || end == '#' || end == ':' || isFlowIndicator(end);
  }

  /** Begins a node, or passes what may precede one. */
  private void begin(char c) {
    switch (c) {
      case '"', '\'' -> {
        key();
        quoted(c);
        start = false;
      }
      case '{', '[', '}', ']', ',' -> {
        if (flow > 0 || c == '{' || c == '[') {
          key();
          indicator(c);
        } else {
          plain();
        }
      }
      case '&', '!', '*' -> word();
      case '|', '>' -> {
        if (flow > 0) {
          plain();
        } else {
          block();
        }
      }
      case '-', '?' -> {
        if (flow == 0 && endsWord(at + 1)) {
          key();
          behindKey = false;
          at++;
        } else {
          key();
          plain();
        }
      }
      default -> {
        key();
        plain();
      }
    }
  }

  private void key() {
    if (flow == 0 && !behindKey) {
      parent = at - lineStart;
    }
  }

  private void indicator(char c) {
    if (c == '{' || c == '[') {
      flow++;
    } else if (c == '}' || c == ']') {
      flow = Math.max(0, flow - 1);
    }
    start = c == '{' || c == '[' || c == ',';
    at++;
  }

  /** One word of a plain scalar, or what is left of one. */
  private void plain() {
    start = false;
    at++;
    while (at < text.length() && !isBlank(text.charAt(at))) {
      char c = text.charAt(at);
      if ((flow > 0 && isFlowIndicator(c)) || (c == ':' && endsKey())) {
        return;
      }
      at++;
    }
  }

  /** A tag, an anchor or an alias. */
  private void word() {
    at++;
    while (!endsWord(at) && !(flow > 0 && isFlowIndicator(text.charAt(at)))) {
      at++;
    }
  }

  private void quoted(char quote) {
    at++;
    while (at < text.length() && text.charAt(at) != quote) {
      at += quote == '"' && text.charAt(at) == '\\' ? 2 : 1;
    }
    at = Math.min(at + 1, text.length());
  }

  /** A literal or folded scalar: its header, and all lines that are indented deeper. */
  private void block() {
    int outer = parent;
    toLineEnd();
    while (at < text.length()) {
      int line = at + 1;
      int column = line;
      while (column < text.length() && text.charAt(column) == ' ') {
        column++;
      }
      boolean empty = column >= text.length() || "\r\n".indexOf(text.charAt(column)) >= 0;
      if (!empty && column - line <= outer) {
        return;
      }
      at = line;
      toLineEnd();
    }
  }

  private void toLineEnd() {
    int end = text.indexOf('\n', at);
    at = end < 0 ? text.length() : end;
  }

  /** Whether a colon here ends a key: white space follows, or it is behind a quoted key. */
  private boolean endsKey() {
    return endsWord(at + 1)
        || (flow > 0
            && (isFlowIndicator(text.charAt(at + 1)) || "\"'".indexOf(text.charAt(at - 1)) >= 0));
  }

  private boolean endsWord(int index) {
    return index >= text.length() || isBlank(text.charAt(index));
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  private static boolean isFlowIndicator(char c) {
    return switch (c) {
      case '{', '}', '[', ']', ',' -> true;
      default -> false;
    };
  }
}
