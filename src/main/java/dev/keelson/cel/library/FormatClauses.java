package dev.keelson.cel.library;

import org.jspecify.annotations.Nullable;

/**
 * The clauses of a text for {@code format}: {@code %s %d %f %e %b %o %x %X %%}, with a precision
 * after a point (source: cel-go's ext/formatting.go, which reads a text when an expression is
 * compiled and again when it is evaluated).
 */
public final class FormatClauses {

  private static final int MOST_PRECISION = 1000;
  private static final String VERBS = "sdfebxXo";

  private final String format;
  private final int arguments;
  private final Formatter formatter;
  private final StringBuilder text = new StringBuilder();
  private int next;

  /** Makes the text of the clauses. */
  @FunctionalInterface
  public interface Formatter {
    /**
     * The text of a clause.
     *
     * @param argument the number of the clause's argument, from 0
     * @param precision null if the clause has none
     * @throws IllegalArgumentException why the argument is none for the clause
     */
    String formatted(char verb, int argument, @Nullable Integer precision);
  }

  private FormatClauses(String format, int arguments, Formatter formatter) {
    this.format = format;
    this.arguments = arguments;
    this.formatter = formatter;
  }

  /** The text, and how many arguments it has taken. */
  public record Result(String text, int taken) {}

  /**
   * Formats a text.
   *
   * @param arguments the number of arguments that there are
   * @throws IllegalArgumentException if the text is wrong or the formatter fails, in cel-go's words
   */
  public static Result format(String format, int arguments, Formatter formatter) {
    FormatClauses clauses = new FormatClauses(format, arguments, formatter);
    int i = 0;
    while (i < format.length()) {
      char c = format.charAt(i++);
      if (c != '%') {
        clauses.text.append(c);
      } else if (i < format.length() && format.charAt(i) == '%') {
        clauses.text.append('%');
        i++;
      } else {
        i = clauses.clause(i);
      }
    }
    return new Result(clauses.text.toString(), clauses.next);
  }

  private int clause(int begin) {
    if (begin == format.length()) {
      throw new IllegalArgumentException("unexpected end of string");
    }
    if (next >= arguments) {
      throw new IllegalArgumentException("index " + next + " out of range");
    }
    int i = begin;
    Integer precision = null;
    if (format.charAt(i) == '.') {
      int end = i + 1;
      while (end < format.length() && format.charAt(end) >= '0' && format.charAt(end) <= '9') {
        end++;
      }
      if (end == format.length()) {
        throw unreadable(
            "error while parsing precision: could not find end of precision specifier");
      }
      precision = precision(format.substring(i + 1, end));
      i = end;
    }
    char verb = format.charAt(i);
    if (VERBS.indexOf(verb) < 0) {
      throw unreadable("unrecognized formatting clause \"" + verb + "\"");
    }
    try {
      text.append(formatter.formatted(verb, next, precision));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("error during formatting: " + e.getMessage(), e);
    }
    next++;
    return i + 1;
  }

  private static Integer precision(String digits) {
    if (digits.isEmpty()) {
      throw unreadable(
          "error while parsing precision: error while converting precision to integer:"
              + " strconv.Atoi: parsing \"\": invalid syntax");
    }
    // a thousand digits are more than a number has, and bound the memory of a clause
    int precision = digits.length() > 4 ? MOST_PRECISION + 1 : Integer.parseInt(digits);
    if (precision > MOST_PRECISION) {
      throw unreadable("error while parsing precision: " + digits);
    }
    return precision;
  }

  private static IllegalArgumentException unreadable(String why) {
    return new IllegalArgumentException("could not parse formatting clause: " + why);
  }

  /** Why an argument of a type is none for a clause. */
  public static IllegalArgumentException wrongType(char verb, String type) {
    return new IllegalArgumentException(
        switch (verb) {
              case 's' ->
                  "string clause can only be used on strings, bools, bytes, ints, doubles, maps,"
                      + " lists, types, durations, and timestamps";
              case 'd' -> "decimal clause can only be used on integers";
              case 'f' -> "fixed-point clause can only be used on doubles";
              case 'e' -> "scientific clause can only be used on doubles";
              case 'b' -> "only integers and bools can be formatted as binary";
              case 'o' -> "octal clause can only be used on integers";
              default -> "only integers, byte buffers, and strings can be formatted as hex";
            }
            + ", was given "
            + type);
  }
}
