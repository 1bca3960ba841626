package dev.keelson.schema.codec.yaml;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Decimal;
import dev.keelson.object.Node.Int;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.Node.Null;
import dev.keelson.object.Node.Text;
import java.nio.charset.StandardCharsets;

/**
 * Writes a tree as YAML in the form of go-yaml v2, which kubectl and kube-apiserver print: block
 * style, two spaces, lists not indented under their key, quotes only where they are needed, plain
 * and quoted lines folded at the first space behind column 80. Used once, by one thread.
 *
 * <p>Deviations, so that every reader gets the same strings: the line separators U+2028 and U+2029
 * are escaped since YAML 1.2 has them as letters, {@code <<} is quoted since as a key it would be a
 * merge, and a string of newlines alone is quoted since not every parser reads it as a block.
 */
public final class YamlOutput {
  /*
   * column, fresh and indentOnly say where the line stands:
   *   fresh       nothing or an indicator with its space is in front, so no space is needed
   *   indentOnly  only spaces and "-", "?" or ":" are on the line, so a nested block may begin on it
   * A block begins with lineAt(indent), which breaks the line unless it may begin where it stands.
   */

  private static final int STEP = 2;
  private static final int WIDTH = 80;
  private static final int LONGEST_KEY = 128;
  private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);

  private final StringBuilder out;
  private int column;
  private boolean fresh = true;
  private boolean indentOnly = true;

  private YamlOutput(int expected) {
    out = new StringBuilder(expected);
  }

  /** The document, with a newline at its end. */
  public static byte[] document(Node root, int expectedBytes) {
    YamlOutput output = new YamlOutput(expectedBytes);
    output.value(root, -STEP, false);
    output.lineAt(0);
    return output.out.toString().getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Writes a value.
   *
   * @param indent of the block that it stands in
   * @param afterKey whether it is the value of a mapping's key
   */
  private void value(Node node, int indent, boolean afterKey) {
    switch (node) {
      case MapNode map -> {
        if (map.isEmpty()) {
          word("{}");
        } else {
          mapping(map, indent + STEP);
        }
      }
      case Items items -> {
        if (items.values().isEmpty()) {
          word("[]");
        } else {
          sequence(items, afterKey && !indentOnly ? indent : indent + STEP);
        }
      }
      case Text text -> text(text.value(), Math.max(indent, 0) + STEP);
      case Int number -> word(Long.toString(number.value()));
      case Decimal number -> word(YamlScalars.print(number.literal()));
      case Bool bool -> word(bool.value() ? "true" : "false");
      case Null _ -> word("null");
    }
  }

  private void mapping(MapNode map, int indent) {
    for (int position : YamlKeyOrder.INSTANCE.positions(map)) {
      String key = map.keyAt(position);
      lineAt(indent);
      YamlText form = YamlText.of(key);
      if (form.multiline() || form.utf8Length() > LONGEST_KEY) {
        indicator('?');
        text(key, form, indent + STEP, true);
        lineAt(indent);
        indicator(':');
      } else {
        text(key, form, indent + STEP, false);
        put(':');
        fresh = false;
        indentOnly = false;
      }
      value(map.valueAt(position), indent, true);
    }
  }

  private void sequence(Items items, int indent) {
    for (Node item : items.values()) {
      lineAt(indent);
      indicator('-');
      value(item, indent, false);
    }
  }

  private void text(String text, int indent) {
    text(text, YamlText.of(text), indent, true);
  }

  private void text(String text, YamlText form, int indent, boolean folds) {
    switch (form.style()) {
      case PLAIN -> {
        space();
        plain(text, indent, folds);
      }
      case SINGLE_QUOTED -> {
        space();
        put('\'');
        single(text, indent, folds);
        put('\'');
      }
      case DOUBLE_QUOTED -> {
        space();
        put('"');
        quoted(text, indent, folds);
        put('"');
      }
      case LITERAL -> {
        literal(text, indent);
        return;
      }
    }
    fresh = false;
    indentOnly = false;
  }

  private void plain(String text, int indent, boolean folds) {
    if (!folds || column + text.length() <= WIDTH) {
      out.append(text);
      column += text.length();
      return;
    }
    boolean spaces = false;
    for (int i = 0; i < text.length(); i++) {
      boolean space = text.charAt(i) == ' ';
      if (space && !spaces && column > WIDTH && text.charAt(i + 1) != ' ') {
        fold(indent);
      } else {
        put(text.charAt(i));
      }
      spaces = space;
    }
  }

  /** Only text without line breaks comes here, and spaces may stand at its ends. */
  private void single(String text, int indent, boolean folds) {
    boolean spaces = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean space = c == ' ';
      if (space
          && folds
          && !spaces
          && column > WIDTH
          && i > 0
          && i < text.length() - 1
          && text.charAt(i + 1) != ' ') {
        fold(indent);
      } else {
        if (c == '\'') {
          put('\'');
        }
        put(c);
      }
      spaces = space;
    }
  }

  private void quoted(String text, int indent, boolean folds) {
    boolean spaces = false;
    for (int i = 0; i < text.length(); ) {
      int point = text.codePointAt(i);
      boolean space = point == ' ';
      if (space && folds && !spaces && column > WIDTH && i > 0 && i < text.length() - 1) {
        fold(indent);
        if (text.charAt(i + 1) == ' ') {
          put('\\');
        }
      } else if (point == '"' || point == '\\' || !YamlText.printable(point)) {
        escape(point);
      } else {
        put((char) point);
      }
      spaces = space;
      i += Character.charCount(point);
    }
  }

  private void escape(int point) {
    put('\\');
    switch (point) {
      case 0 -> put('0');
      case 0x07 -> put('a');
      case '\b' -> put('b');
      case '\t' -> put('t');
      case '\n' -> put('n');
      case 0x0B -> put('v');
      case '\f' -> put('f');
      case '\r' -> put('r');
      case 0x1B -> put('e');
      case '"' -> put('"');
      case '\\' -> put('\\');
      case 0x85 -> put('N');
      default -> {
        if (point <= 0xFF) {
          hex('x', point, 2);
        } else if (point <= 0xFFFF) {
          // half a character has no UTF-8; Go reads it as the replacement character
          hex('u', Character.isSurrogate((char) point) ? 0xFFFD : point, 4);
        } else {
          hex('U', point, 8);
        }
      }
    }
  }

  private void hex(char letter, int point, int digits) {
    put(letter);
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
      put((char) HEX[point >> shift & 0xF]);
    }
  }

  private void literal(String text, int indent) {
    space();
    put('|');
    char first = text.charAt(0);
    if (first == ' ' || first == '\n') {
      put((char) ('0' + STEP));
    }
    int last = text.length() - 1;
    if (text.charAt(last) != '\n') {
      put('-');
    } else if (text.charAt(last - 1) == '\n') {
      put('+');
    }
    newline();
    boolean lineStart = true;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n') {
        newline();
        lineStart = true;
      } else {
        if (lineStart) {
          pad(indent);
          lineStart = false;
        }
        put(c);
      }
    }
    fresh = true;
    indentOnly = lineStart;
  }

  /** Goes to {@code indent} on a line of its own, or on this one if only indicators are on it. */
  private void lineAt(int indent) {
    if (!indentOnly || column > indent || (column == indent && !fresh)) {
      newline();
    }
    pad(indent);
    fresh = true;
    indentOnly = true;
  }

  private void fold(int indent) {
    newline();
    pad(indent);
  }

  private void indicator(char indicator) {
    space();
    put(indicator);
    fresh = false;
  }

  private void word(String ascii) {
    space();
    out.append(ascii);
    column += ascii.length();
    fresh = false;
    indentOnly = false;
  }

  private void space() {
    if (!fresh) {
      put(' ');
    }
  }

  private void pad(int indent) {
    while (column < indent) {
      put(' ');
    }
  }

  private void newline() {
    out.append('\n');
    column = 0;
  }

  private void put(char c) {
    out.append(c);
    column++;
  }
}
