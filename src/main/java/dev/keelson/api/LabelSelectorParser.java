package dev.keelson.api;

import dev.keelson.api.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A recursive descent over the tokens of a label selector. Its messages are those of Kubernetes'
 * parser, which prints a key without a path to it as {@code <nil>}.
 */
final class LabelSelectorParser {

  private static final String SPECIAL = "=!(),<>";

  /** What comes after the last token. */
  private static final String END = "";

  private final List<String> tokens = new ArrayList<>();
  private int next;

  LabelSelectorParser(String text) {
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (isSpace(c)) {
        at++;
      } else if (text.startsWith("==", at) || text.startsWith("!=", at)) {
        tokens.add(text.substring(at, at + 2));
        at += 2;
      } else if (SPECIAL.indexOf(c) >= 0) {
        tokens.add(String.valueOf(c));
        at++;
      } else {
        int end = at;
        while (end < text.length()
            && SPECIAL.indexOf(text.charAt(end)) < 0
            && !isSpace(text.charAt(end))) {
          end++;
        }
        tokens.add(text.substring(at, end));
        at = end;
      }
    }
  }

  /** The requirements in their order. */
  List<LabelRequirement> parse() {
    List<LabelRequirement> requirements = new ArrayList<>();
    while (!peek().equals(END)) {
      if (!isIdentifier(peek()) && !peek().equals("!")) {
        throw ApiException.badRequest(
            "found '" + peek() + "', expected: !, identifier, or 'end of string'");
      }
      requirements.add(requirement());
      String separator = take();
      if (separator.equals(END)) {
        break;
      }
      if (!separator.equals(",")) {
        throw ApiException.badRequest(
            "found '" + separator + "', expected: ',' or 'end of string'");
      }
      if (!isIdentifier(peek()) && !peek().equals("!")) {
        throw ApiException.badRequest("found '" + peek() + "', expected: identifier after ','");
      }
    }
    return requirements;
  }

  private LabelRequirement requirement() {
    boolean absent = peek().equals("!");
    if (absent) {
      next++;
    }
    String key = take();
    if (!isIdentifier(key)) {
      throw broken("found '" + key + "', expected: identifier");
    }
    String problem = Names.qualifiedName(key);
    if (!problem.isEmpty()) {
      throw broken("<nil>: Invalid value: \"" + key + "\": " + joined(problem));
    }
    if (absent) {
      return new LabelRequirement(key, Operator.DOES_NOT_EXIST, Set.of());
    }
    if (peek().equals(END) || peek().equals(",")) {
      return new LabelRequirement(key, Operator.EXISTS, Set.of());
    }
    String operator = take();
    return switch (operator) {
      case "=", "==" -> checked(key, Operator.IN, one());
      case "!=" -> checked(key, Operator.NOT_IN, one());
      case ">" -> checked(key, Operator.GREATER_THAN, one());
      case "<" -> checked(key, Operator.LESS_THAN, one());
      case "in" -> checked(key, Operator.IN, several());
      case "notin" -> checked(key, Operator.NOT_IN, several());
      default -> throw broken("found '" + operator + "', expected: in, notin, =, ==, !=, gt, lt");
    };
  }

  private SortedSet<String> one() {
    SortedSet<String> values = new TreeSet<>();
    if (peek().equals(END) || peek().equals(",")) {
      values.add("");
      return values;
    }
    String value = take();
    if (!isIdentifier(value)) {
      throw broken("found '" + value + "', expected: identifier");
    }
    values.add(value);
    return values;
  }

  private SortedSet<String> several() {
    String open = take();
    if (!open.equals("(")) {
      throw broken("found '" + open + "' expected: '('");
    }
    if (!isIdentifier(peek()) && !peek().equals(",") && !peek().equals(")")) {
      throw broken("found '" + peek() + "', expected: ',', ')' or identifier");
    }
    SortedSet<String> values = new TreeSet<>();
    while (true) {
      if (isIdentifier(peek())) {
        values.add(take());
        if (!peek().equals(",") && !peek().equals(")")) {
          throw broken("found '" + peek() + "', expected: ',' or ')'");
        }
      } else if (peek().equals(",") || peek().equals(")")) {
        values.add("");
      } else {
        throw broken("found '" + peek() + "', expected: ',', or identifier");
      }
      if (take().equals(")")) {
        return values;
      }
    }
  }

  /** A requirement, after validation of its sorted values. */
  private static LabelRequirement checked(String key, Operator operator, SortedSet<String> values) {
    List<String> problems = new ArrayList<>();
    boolean number = operator == Operator.GREATER_THAN || operator == Operator.LESS_THAN;
    if (number && !isNumber(values.first())) {
      problems.add(
          "values[0]: Invalid value: \""
              + values.first()
              + "\": for 'Gt', 'Lt' operators, the value must be an integer");
    }
    int index = 0;
    for (String value : values) {
      String problem = Names.labelValue(value);
      if (!problem.isEmpty()) {
        problems.add(
            "values["
                + index
                + "]["
                + key
                + "]: Invalid value: \""
                + value
                + "\": "
                + joined(problem));
      }
      index++;
    }
    if (!problems.isEmpty()) {
      throw broken(
          problems.size() == 1
              ? problems.getFirst()
              : problems.stream().collect(Collectors.joining(", ", "[", "]")));
    }
    return new LabelRequirement(key, operator, values);
  }

  private static boolean isNumber(String value) {
    try {
      long unused = Long.parseLong(value);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static boolean isIdentifier(String token) {
    return !token.equals(END) && SPECIAL.indexOf(token.charAt(0)) < 0;
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
  }

  private static String joined(String problems) {
    return problems.replace("\n", "; ");
  }

  private String peek() {
    return next < tokens.size() ? tokens.get(next) : END;
  }

  private String take() {
    String token = peek();
    next++;
    return token;
  }

  private static ApiException broken(String detail) {
    return ApiException.badRequest("unable to parse requirement: " + detail);
  }
}
