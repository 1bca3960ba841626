package dev.keelson.api;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A condition on fields: {@code a=b}, {@code a==b} and {@code a!=b} joined by commas; a backslash
 * makes the next comma, equals sign or backslash part of the value.
 *
 * @param terms what must hold; none means that everything matches
 */
public record FieldSelector(List<Term> terms) {

  /** Matches every object. */
  public static final FieldSelector EVERYTHING = new FieldSelector(List.of());

  /**
   * A condition on one field: its value equals {@code value}, or differs from it if {@code
   * negated}.
   */
  public record Term(String field, String value, boolean negated) {}

  public FieldSelector {
    terms = List.copyOf(terms);
  }

  /**
   * Reads a selector.
   *
   * @throws ApiException of reason BadRequest that names the malformed part
   */
  public static FieldSelector parse(String text) {
    if (text.isEmpty()) {
      return EVERYTHING;
    }
    List<Term> terms = new ArrayList<>();
    List<String> parts = split(text);
    // sorted, so that the reported error and the effective one of two values do not depend on their
    // order
    parts.sort(null);
    for (String part : parts) {
      if (!part.isEmpty()) {
        terms.add(term(text, part));
      }
    }
    return new FieldSelector(terms);
  }

  public boolean isEverything() {
    return terms.isEmpty();
  }

  /**
   * Whether an object with the fields of {@code valueOf} matches.
   *
   * @param valueOf the text of a field, empty if the object does not have it
   */
  public boolean matches(UnaryOperator<String> valueOf) {
    for (Term term : terms) {
      if (valueOf.apply(term.field).equals(term.value) == term.negated) {
        return false;
      }
    }
    return true;
  }

  /**
   * The value that {@code field} must have, or empty if the selector does not require a single
   * value.
   */
  public String required(String field) {
    for (Term term : terms) {
      if (!term.negated && term.field.equals(field)) {
        return term.value;
      }
    }
    return "";
  }

  /** The first operator of a part ends its field, whatever comes before it. */
  private static Term term(String text, String part) {
    for (int i = 0; i < part.length(); i++) {
      if (part.startsWith("!=", i)) {
        return new Term(part.substring(0, i), unescape(part.substring(i + 2)), true);
      } else if (part.startsWith("==", i)) {
        return new Term(part.substring(0, i), unescape(part.substring(i + 2)), false);
      } else if (part.charAt(i) == '=') {
        return new Term(part.substring(0, i), unescape(part.substring(i + 1)), false);
      }
    }
    throw ApiException.badRequest(
        "invalid selector: '" + text + "'; can't understand '" + part + "'");
  }

  private static List<String> split(String text) {
    List<String> parts = new ArrayList<>();
    int begin = 0;
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == ',') {
        parts.add(text.substring(begin, i));
        begin = i + 1;
      }
    }
    parts.add(text.substring(begin));
    return parts;
  }

  private static String unescape(String value) {
    StringBuilder plain = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '\\') {
        i++;
        if (i == value.length() || ",=\\".indexOf(value.charAt(i)) < 0) {
          throw ApiException.badRequest(
              "invalid field selector: invalid escape sequence: "
                  + value.substring(i - 1, Math.min(i + 1, value.length())));
        }
        plain.append(value.charAt(i));
      } else if (c == '=') {
        // kube-apiserver prints the character as its number
        throw ApiException.badRequest(
            "invalid field selector: unescaped character in value: " + (int) c);
      } else {
        plain.append(c);
      }
    }
    return plain.toString();
  }
}
