package dev.keelson.schema.validation;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * How large a regular expression becomes. RE2 copies what is repeated, and Go refuses an expression
 * whose nested counts multiply to more than 1000, or whose groups nest deeper than that (source:
 * regexp/syntax, repeatIsValid and maxHeight); the library here does not. Used by one thread, once.
 */
public final class PatternSize {

  private static final int MOST = 1000;

  private final String pattern;
  private final Deque<Integer> outer = new ArrayDeque<>();

  /** The largest count in the group, and of its last part. */
  private int group = 1;

  private int last = 1;

  private PatternSize(String pattern) {
    this.pattern = pattern;
  }

  /** Go's message for a pattern that is too large, empty for others. */
  public static String problem(String pattern) {
    return new PatternSize(pattern).find();
  }

  private String find() {
    for (int i = 0; i < pattern.length(); i++) {
      switch (pattern.charAt(i)) {
        case '\\' -> {
          i = escaped(i);
          last = 1;
        }
        case '[' -> {
          i = classEnd(i);
          last = 1;
        }
        case '(' -> {
          outer.push(group);
          if (outer.size() > MOST) {
            return "error parsing regexp: expression nests too deeply: `" + pattern + "`";
          }
          group = 1;
          last = 1;
        }
        case ')' -> {
          last = group;
          group = Math.max(outer.isEmpty() ? 1 : outer.pop(), last);
        }
        case '{' -> {
          int end = pattern.indexOf('}', i);
          int count = end < 0 ? -1 : count(pattern.substring(i + 1, end));
          if (count >= 0) {
            if ((long) last * Math.max(count, 1) > MOST) {
              return "error parsing regexp: invalid repeat count: `"
                  + pattern.substring(i, end + 1)
                  + "`";
            }
            last *= Math.max(count, 1);
            group = Math.max(group, last);
            i = end;
          } else {
            last = 1;
          }
        }
        case '*', '+', '?' -> {}
        default -> last = 1;
      }
    }
    return "";
  }

  /** The last character of an escape; of a quotation its end. */
  private int escaped(int at) {
    if (pattern.startsWith("\\Q", at)) {
      int end = pattern.indexOf("\\E", at);
      return end < 0 ? pattern.length() : end + 1;
    }
    return at + 1;
  }

  private int classEnd(int at) {
    int first = pattern.startsWith("^", at + 1) ? at + 2 : at + 1;
    for (int i = first; i < pattern.length(); i++) {
      char c = pattern.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == ']' && i > first) {
        return i;
      } else if (pattern.startsWith("[:", i)) {
        int end = pattern.indexOf(":]", i);
        i = end < 0 ? i : end + 1;
      }
    }
    return pattern.length();
  }

  /** The larger number of {@code n}, {@code n,} and {@code n,m}; -1 if it is none of them. */
  private static int count(String text) {
    int comma = text.indexOf(',');
    String low = comma < 0 ? text : text.substring(0, comma);
    String high = comma < 0 || comma == text.length() - 1 ? low : text.substring(comma + 1);
    return isNumber(low) && isNumber(high)
        ? Math.max(Integer.parseInt(low), Integer.parseInt(high))
        : -1;
  }

  private static boolean isNumber(String text) {
    return !text.isEmpty()
        && text.length() <= 4
        && text.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
