package dev.keelson.api;

import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A condition on labels: every requirement must hold. The grammar is Kubernetes': {@code a=b},
 * {@code a==b}, {@code a!=b}, {@code a in (b,c)}, {@code a notin (b)}, {@code a}, {@code !a},
 * {@code a>1}, {@code a<1}, joined by commas.
 *
 * @param requirements what must hold; none means that everything matches
 */
public record LabelSelector(List<Requirement> requirements) {

  /** Matches every object. */
  public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

  /** How a requirement looks at a label. */
  public enum Operator {
    IN,
    NOT_IN,
    EXISTS,
    DOES_NOT_EXIST,
    GREATER_THAN,
    LESS_THAN
  }

  /**
   * A condition on one label. {@code =} is {@code IN} with one value, {@code !=} is {@code NOT_IN}
   * with one value, and an object without the label matches {@code NOT_IN}.
   */
  public record Requirement(String key, Operator operator, Set<String> values) {
    public Requirement {
      values = Set.copyOf(values);
    }

    boolean matches(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
        case GREATER_THAN -> value != null && compare(value) > 0;
        case LESS_THAN -> value != null && compare(value) < 0;
      };
    }

    /** The sign of label minus bound; 0, which matches neither, if the label is no integer. */
    private int compare(String value) {
      try {
        return Long.compare(Long.parseLong(value), Long.parseLong(values.iterator().next()));
      } catch (NumberFormatException e) {
        return 0;
      }
    }
  }

  public LabelSelector {
    requirements = List.copyOf(requirements);
  }

  /**
   * Reads a selector.
   *
   * @throws ApiException of reason BadRequest that says where it breaks the grammar
   */
  public static LabelSelector parse(String text) {
    return text.isBlank() ? EVERYTHING : new LabelSelectorParser(text).parse();
  }

  public boolean isEverything() {
    return requirements.isEmpty();
  }

  public boolean matches(Map<String, String> labels) {
    for (Requirement requirement : requirements) {
      if (!requirement.matches(labels)) {
        return false;
      }
    }
    return true;
  }
}
