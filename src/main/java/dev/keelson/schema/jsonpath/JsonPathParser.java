package dev.keelson.schema.jsonpath;

import dev.keelson.object.Node;
import dev.keelson.schema.jsonpath.Step.Descent;
import dev.keelson.schema.jsonpath.Step.Filter;
import dev.keelson.schema.jsonpath.Step.Wildcard;
import dev.keelson.value.ValueFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a template of client-go's JSONPath: text, and steps in braces. Used by one thread for one
 * text.
 */
final class JsonPathParser {

  private static final int END = -1;
  private static final Pattern KEY = Pattern.compile("'([^']*)'");
  private static final Pattern COMPARISON = Pattern.compile("([^!<>=]+)([!<>=]+)(.+)");

  private final String input;
  private int at;

  private JsonPathParser(String input) {
    this.input = input;
  }

  /**
   * The blocks of a template, each the steps between two braces or a text outside of them.
   *
   * @throws ValueFormatException in client-go's words if the syntax is wrong
   */
  static List<List<Step>> template(String text) {
    return new JsonPathParser(text).blocks();
  }

  private static List<Step> action(String text) {
    return template("{" + text + "}").getFirst();
  }

  private List<List<Step>> blocks() {
    List<List<Step>> blocks = new ArrayList<>();
    while (at < input.length()) {
      int open = input.indexOf('{', at);
      int end = open < 0 ? input.length() : open;
      if (end > at) {
        blocks.add(List.of(new Step.Literal(Node.text(input.substring(at, end)))));
      }
      at = end;
      if (open >= 0) {
        at++;
        blocks.add(steps());
      }
    }
    return blocks;
  }

  /** The steps up to the closing brace, which is passed over. */
  private List<Step> steps() {
    List<Step> steps = new ArrayList<>();
    while (true) {
      if (input.startsWith("}", at)) {
        at++;
        return steps;
      }
      if (input.startsWith("[?(", at)) {
        steps.add(filter());
      } else if (input.startsWith("..", at)) {
        descend(steps);
      } else {
        step(steps);
      }
    }
  }

  private int next() {
    if (at >= input.length()) {
      return END;
    }
    int c = input.codePointAt(at);
    at += Character.charCount(c);
    return c;
  }

  private int peek() {
    return at < input.length() ? input.codePointAt(at) : END;
  }

  private void step(List<Step> steps) {
    int start = at;
    int c = next();
    switch (c) {
      case END, '\r', '\n' -> throw new ValueFormatException("unclosed action");
      case ' ', '@', '$' -> {
        // the current object
      }
      case '[' -> brackets(steps);
      case '"', '\'' -> steps.add(new Step.Literal(Node.text(quoted(start, c))));
      case '.' -> steps.add(field());
      default -> {
        at = start;
        if (c == '+' || c == '-' || Character.isDigit(c)) {
          steps.add(number());
        } else if (isAlphanumeric(c)) {
          steps.add(word());
        } else {
          throw new ValueFormatException(
              "unrecognized character in action: U+%04X '%s'".formatted(c, Character.toString(c)));
        }
      }
    }
  }

  private void descend(List<Step> steps) {
    if (!steps.isEmpty() && steps.getLast() == Descent.RECURSIVE) {
      throw new ValueFormatException("invalid multiple recursive descent");
    }
    at += "..".length();
    steps.add(Descent.RECURSIVE);
    if (isAlphanumeric(peek())) {
      steps.add(field());
    }
  }

  /** A name up to the next character that ends one; a backslash makes that a part of it. */
  private Step field() {
    StringBuilder name = new StringBuilder();
    while (!isTerminator(peek())) {
      int c = next();
      if (c == '\\') {
        c = next();
      }
      if (c != END && c != '\\') {
        name.appendCodePoint(c);
      }
    }
    String text = name.toString();
    return text.equals("*") ? Wildcard.ALL : new Step.Field(text);
  }

  private Step word() {
    int start = at;
    while (!isTerminator(peek())) {
      int unused = next();
    }
    String word = input.substring(start, at);
    return switch (word) {
      case "true" -> new Step.Literal(Node.Bool.TRUE);
      case "false" -> new Step.Literal(Node.Bool.FALSE);
      default -> new Step.Keyword(word);
    };
  }

  private Step number() {
    int start = at;
    if (peek() == '+' || peek() == '-') {
      at++;
    }
    while (peek() == '.' || Character.isDigit(peek())) {
      at++;
    }
    String text = input.substring(start, at);
    try {
      return new Step.Literal(new Node.Int(Long.parseLong(text)));
    } catch (NumberFormatException noInteger) {
      try {
        return new Step.Literal(new Node.Decimal(Double.toString(Double.parseDouble(text))));
      } catch (NumberFormatException e) {
        throw new ValueFormatException("cannot parse number " + text);
      }
    }
  }

  private void brackets(List<Step> steps) {
    int start = at;
    int close = input.indexOf(']', at);
    int line = input.indexOf('\n', at);
    if (close < 0 || (line >= 0 && line < close)) {
      throw new ValueFormatException("unterminated array");
    }
    at = close + 1;
    String text = input.substring(start, close);
    String[] parts = (text.equals("*") ? ":" : text).split(",", -1);
    Matcher key = KEY.matcher(parts[0]);
    if (parts.length > 1) {
      List<List<Step>> paths = new ArrayList<>();
      for (String part : parts) {
        paths.add(action("[" + part.strip() + "]"));
      }
      steps.add(new Step.Union(paths));
    } else if (key.matches()) {
      steps.addAll(action("." + key.group(1)));
    } else {
      steps.add(new Step.Slice(Range.parse(parts[0])));
    }
  }

  private Step filter() {
    at += "[?(".length();
    int start = at;
    boolean open = false;
    boolean closed = false;
    int quote = END;
    while (true) {
      int c = next();
      if (c == END || c == '\n') {
        throw new ValueFormatException("unterminated filter");
      }
      if (c == '"' || c == '\'') {
        if (!open) {
          open = true;
          quote = c;
        } else if (c == quote && input.charAt(at - 2) != '\\') {
          closed = true;
        }
      } else if (c == ')' && open == closed) {
        break;
      }
    }
    String text = input.substring(start, at - 1);
    if (next() != ']') {
      throw new ValueFormatException("unclosed array expect ]");
    }
    Matcher comparison = COMPARISON.matcher(text);
    return comparison.matches()
        ? new Filter(action(comparison.group(1)), comparison.group(2), action(comparison.group(3)))
        : new Filter(action(text), Filter.EXISTS, List.of());
  }

  /** The text in quotes that begin at {@code start}, behind which the parser stands. */
  private String quoted(int start, int quote) {
    while (true) {
      int c = next();
      if (c == END || c == '\n') {
        throw new ValueFormatException("unterminated quoted string");
      }
      if (c == quote && input.charAt(at - 2) != '\\') {
        break;
      }
    }
    return GoEscapes.unquoted(input.substring(start, at));
  }

  private static boolean isTerminator(int c) {
    return switch (c) {
      case END, ' ', '\t', '\r', '\n', '.', ',', '[', ']', '$', '@', '{', '}' -> true;
      default -> false;
    };
  }

  private static boolean isAlphanumeric(int c) {
    return c == '_' || (c != END && (Character.isLetter(c) || Character.isDigit(c)));
  }
}
