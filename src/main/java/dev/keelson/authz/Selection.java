package dev.keelson.authz;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldSelector;
import dev.keelson.api.LabelRequirement;
import dev.keelson.api.LabelSelector;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * What a request selects by its fields or by its labels (KEP-4601): the selector of a request,
 * which is parsed when an authorizer asks for its requirements, or the requirements of an access
 * review.
 */
public sealed interface Selection {

  /** Selects everything. */
  Selection NONE = new Text("");

  /**
   * A condition; all conditions of a selection must hold.
   *
   * @param operator {@code In}, {@code NotIn}, {@code Exists} or {@code DoesNotExist}
   * @param values the operands; none for the last two operators
   */
  record Requirement(String key, String operator, List<String> values) {
    public Requirement {
      values = List.copyOf(values);
    }
  }

  /** A selector in the syntax of queries. */
  record Text(String selector) implements Selection {

    @Override
    public List<Requirement> ofFields() {
      try {
        return FieldSelector.parse(selector).terms().stream()
            .map(
                term ->
                    new Requirement(
                        term.field(), term.negated() ? "NotIn" : "In", List.of(term.value())))
            .toList();
      } catch (ApiException malformed) {
        // the verb returns the error to authorized users
        return List.of();
      }
    }

    @Override
    public List<Requirement> ofLabels() {
      List<LabelRequirement> parsed;
      try {
        parsed = LabelSelector.parse(selector).requirements();
      } catch (ApiException malformed) {
        // as above
        return List.of();
      }
      List<Requirement> requirements = new ArrayList<>();
      for (LabelRequirement one : parsed) {
        String operator =
            switch (one.operator()) {
              case IN -> "In";
              case NOT_IN -> "NotIn";
              case EXISTS -> "Exists";
              case DOES_NOT_EXIST -> "DoesNotExist";
              // requirements have no operators for numeric comparisons
              case GREATER_THAN, LESS_THAN -> "";
            };
        if (!operator.isEmpty()) {
          requirements.add(
              new Requirement(one.key(), operator, one.values().stream().sorted().toList()));
        }
      }
      requirements.sort(Comparator.comparing(Requirement::key));
      return requirements;
    }
  }

  /** Requirements in the order in which they were sent. */
  record Requirements(List<Requirement> all) implements Selection {
    public Requirements {
      all = List.copyOf(all);
    }

    @Override
    public List<Requirement> ofFields() {
      return all;
    }

    @Override
    public List<Requirement> ofLabels() {
      return all;
    }
  }

  /** The selection of a selector, which may be empty. */
  static Selection of(String selector) {
    return selector.isEmpty() ? NONE : new Text(selector);
  }

  /**
   * Returns the requirements of a field selector. Those of a text are sorted; a malformed one has
   * none, which widens the request and never allows too much.
   */
  List<Requirement> ofFields();

  /**
   * Returns the requirements of a label selector. Those of a text are sorted by key; a malformed
   * one has none.
   */
  List<Requirement> ofLabels();
}
