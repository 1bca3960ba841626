package dev.keelson.controller.fit;

import dev.keelson.api.LabelRequirement;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that a NodeSelector selects: those that one of its terms selects.
 *
 * @param terms none selects no node
 */
public record NodeSelection(List<Term> terms) {

  private static final String NAME = "metadata.name";

  public NodeSelection {
    terms = List.copyOf(terms);
  }

  /**
   * A term; all its requirements must hold, and one without any selects no node.
   *
   * @param labels on the labels of the node
   * @param names on the name of the node
   */
  public record Term(List<LabelRequirement> labels, List<LabelRequirement> names) {

    public Term {
      labels = List.copyOf(labels);
      names = List.copyOf(names);
    }

    /** The nodes that have one of the names in all lists of names; null if there is no list. */
    @Nullable Set<String> onlyNames() {
      Set<String> only = null;
      for (LabelRequirement requirement : names) {
        if (requirement.operator() == LabelRequirement.Operator.IN) {
          if (only == null) {
            only = new HashSet<>(requirement.values());
          } else {
            only.retainAll(requirement.values());
          }
        }
      }
      return only;
    }

    /** Whether the term selects a node. */
    public boolean matches(String name, Map<String, String> nodeLabels) {
      for (LabelRequirement requirement : labels) {
        if (!requirement.matchesValue(nodeLabels.get(requirement.key()))) {
          return false;
        }
      }
      for (LabelRequirement requirement : names) {
        if (!requirement.matchesValue(name)) {
          return false;
        }
      }
      return !labels.isEmpty() || !names.isEmpty();
    }
  }

  /** A NodeSelector; terms with unknown operators or fields select nothing. */
  public static NodeSelection of(MapNode selector) {
    return new NodeSelection(
        selector.maps("nodeSelectorTerms").stream().flatMap(term -> term(term).stream()).toList());
  }

  /** A NodeSelectorTerm; empty if an operator or field is unknown, which validation rejects. */
  public static Optional<Term> term(MapNode term) {
    List<LabelRequirement> labels = new ArrayList<>();
    List<LabelRequirement> names = new ArrayList<>();
    for (MapNode expression : term.maps("matchExpressions")) {
      Optional<LabelRequirement> requirement = requirement(expression);
      if (requirement.isEmpty()) {
        return Optional.empty();
      }
      labels.add(requirement.get());
    }
    for (MapNode expression : term.maps("matchFields")) {
      Optional<LabelRequirement> requirement = requirement(expression);
      if (requirement.isEmpty() || !expression.text("key").equals(NAME)) {
        return Optional.empty();
      }
      names.add(requirement.get());
    }
    return Optional.of(new Term(labels, names));
  }

  private static Optional<LabelRequirement> requirement(MapNode expression) {
    LabelRequirement.Operator operator =
        switch (expression.text("operator")) {
          case "In" -> LabelRequirement.Operator.IN;
          case "NotIn" -> LabelRequirement.Operator.NOT_IN;
          case "Exists" -> LabelRequirement.Operator.EXISTS;
          case "DoesNotExist" -> LabelRequirement.Operator.DOES_NOT_EXIST;
          case "Gt" -> LabelRequirement.Operator.GREATER_THAN;
          case "Lt" -> LabelRequirement.Operator.LESS_THAN;
          default -> null;
        };
    if (operator == null) {
      return Optional.empty();
    }
    Set<String> values = new LinkedHashSet<>();
    for (Node value : expression.items("values")) {
      if (value instanceof Node.Text text) {
        values.add(text.value());
      }
    }
    return Optional.of(new LabelRequirement(expression.text("key"), operator, values));
  }

  /** Whether a term selects a node. */
  public boolean matches(String name, Map<String, String> labels) {
    for (Term term : terms) {
      if (term.matches(name, labels)) {
        return true;
      }
    }
    return false;
  }
}
