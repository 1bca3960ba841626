package dev.keelson.audit.trail;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * The condition of a query in SQL. Values are parameters and never part of the text. Used by one
 * thread.
 */
public final class TrailCondition {

  /** Sorts directly behind a slash. */
  private static final char BEHIND_SLASH = '0';

  private final StringBuilder sql = new StringBuilder("TRUE");
  private final List<String> parameters = new ArrayList<>();
  private final String position;
  private final IntFunction<String> placeholder;

  /**
   * An SQL condition.
   *
   * @param position the function that returns the place of its second argument in its first, from
   *     1; 0 if it is not there
   * @param placeholder how the parameter of a number, from 1, is written
   */
  public TrailCondition(TrailQuery query, String position, IntFunction<String> placeholder) {
    this.position = position;
    this.placeholder = placeholder;
    query.terms().forEach(this::term);
    String from = query.from();
    if (from != null) {
      and("id >= " + parameter(from));
    }
    String to = query.to();
    if (to != null) {
      and("id < " + parameter(to));
    }
    for (String word : query.words()) {
      and(contains("text", word));
    }
  }

  /** Adds the beginning of a page. */
  public TrailCondition before(String id) {
    and("id < " + parameter(id));
    return this;
  }

  /** Adds the parameter {@code value} and returns its placeholder. */
  public String parameter(String value) {
    parameters.add(TrailEvent.storable(value));
    return placeholder.apply(parameters.size());
  }

  private void term(TrailQuery.Term term) {
    String matches =
        term.values().stream()
            .map(value -> matches(term.field(), value))
            .collect(Collectors.joining(" OR ", "(", ")"));
    and(term.negated() ? "NOT " + matches : matches);
  }

  private String matches(TrailField field, String value) {
    String column = field.column();
    if (value.isEmpty()) {
      return column + " = ''";
    }
    return switch (field.match()) {
      case EXACT -> exact(field, value);
      case ONE_OF -> contains(column, '\n' + TrailEvent.element(value) + '\n');
      case PRODUCT ->
          "(%s = %s OR (%s >= %s AND %s < %s))"
              .formatted(
                  column,
                  parameter(value),
                  column,
                  parameter(value + '/'),
                  column,
                  parameter(value + BEHIND_SLASH));
    };
  }

  private String exact(TrailField field, String value) {
    String column = field.column();
    if (field == TrailField.CODE && value.length() == 3 && value.endsWith("xx")) {
      char first = value.charAt(0);
      return "(%s >= %s AND %s < %s)"
          .formatted(
              column,
              parameter(String.valueOf(first)),
              column,
              parameter(String.valueOf((char) (first + 1))));
    }
    return column + " = " + parameter(value);
  }

  private String contains(String column, String value) {
    return position + "(" + column + ", " + parameter(value) + ") > 0";
  }

  private void and(String condition) {
    sql.append(" AND ").append(condition);
  }

  /** The text, with a placeholder for each parameter. */
  public String sql() {
    return sql.toString();
  }

  /** The parameters in the order of their placeholders. */
  public List<String> parameters() {
    return List.copyOf(parameters);
  }
}
