package dev.keelson.api;

import dev.keelson.api.LabelSelector.Operator;
import dev.keelson.api.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A recursive descent over the tokens of a label selector; the messages have the form that
 * Kubernetes' parser gives.
 */
final class LabelSelectorParser {

  private static final String SPECIAL = "=!(),<>";

  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private int next;

  LabelSelectorParser(String text) {
    this.text = text;
    int at = 0;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (Character.isWhitespace(c)) {
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
            && !Character.isWhitespace(text.charAt(end))) {
          end++;
        }
        tokens.add(text.substring(at, end));
        at = end;
      }
    }
  }

  LabelSelector parse() {
    List<Requirement> requirements = new ArrayList<>();
    while (true) {
      requirements.add(requirement());
      if (next == tokens.size()) {
        return new LabelSelector(requirements);
      }
      String separator = take();
      if (!separator.equals(",")) {
        throw broken("found '" + separator + "', expected: ',' or 'end of string'");
      }
      if (next == tokens.size()) {
        throw broken("found '', expected: identifier after ','");
      }
    }
  }

  private Requirement requirement() {
    boolean absent = peek().equals("!");
    if (absent) {
      next++;
    }
    String key = take();
    if (key.isEmpty() || SPECIAL.indexOf(key.charAt(0)) >= 0) {
      throw broken("found '" + key + "', expected: !, identifier, or 'end of string'");
    }
    String problem = Names.qualifiedName(key);
    if (!problem.isEmpty()) {
      throw broken("key: Invalid value: \"" + key + "\": " + problem);
    }
    if (absent) {
      return new Requirement(key, Operator.DOES_NOT_EXIST, Set.of());
    }
    return switch (peek()) {
      case "", "," -> new Requirement(key, Operator.EXISTS, Set.of());
      case "=", "==" -> single(key, Operator.IN);
      case "!=" -> single(key, Operator.NOT_IN);
      case ">" -> number(key, Operator.GREATER_THAN);
      case "<" -> number(key, Operator.LESS_THAN);
      case "in" -> set(key, Operator.IN);
      case "notin" -> set(key, Operator.NOT_IN);
      default ->
          throw broken(
              "found '"
                  + peek()
                  + "', expected: in, notin, =, ==, !=, gt, lt, ',' or 'end of string'");
    };
  }

  private Requirement single(String key, Operator operator) {
    next++;
    String value = peek();
    if (value.isEmpty() || value.equals(",")) {
      return new Requirement(key, operator, Set.of(""));
    }
    return new Requirement(key, operator, Set.of(value(key, take())));
  }

  private Requirement number(String key, Operator operator) {
    next++;
    String value = take();
    try {
      Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw broken(
          "values[0]["
              + key
              + "]: Invalid value: \""
              + value
              + "\": for 'Gt', 'Lt' operators, the value must be an integer");
    }
    return new Requirement(key, operator, Set.of(value));
  }

  private Requirement set(String key, Operator operator) {
    next++;
    String open = take();
    if (!open.equals("(")) {
      throw broken("found '" + open + "' expected: '('");
    }
    Set<String> values = new LinkedHashSet<>();
    while (true) {
      String token = peek();
      if (token.equals(",") || token.equals(")")) {
        values.add("");
      } else {
        values.add(value(key, take()));
      }
      String separator = take();
      if (separator.equals(")")) {
        return new Requirement(key, operator, values);
      }
      if (!separator.equals(",")) {
        throw broken("found '" + separator + "', expected: ',' or ')'");
      }
    }
  }

  private String value(String key, String value) {
    if (value.isEmpty() || SPECIAL.indexOf(value.charAt(0)) >= 0) {
      throw broken("found '" + value + "', expected: identifier");
    }
    String problem = Names.labelValue(value);
    if (!problem.isEmpty()) {
      throw broken("values[0][" + key + "]: Invalid value: \"" + value + "\": " + problem);
    }
    return value;
  }

  private String peek() {
    return next < tokens.size() ? tokens.get(next) : "";
  }

  private String take() {
    String token = peek();
    next++;
    return token;
  }

  private ApiException broken(String why) {
    return ApiException.badRequest(
        "unable to parse requirement: " + why + " (in the label selector \"" + text + "\")");
  }
}
