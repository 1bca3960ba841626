package dev.keelson.controller.workload;

import dev.keelson.api.LabelRequirement;
import dev.keelson.api.LabelRequirement.Operator;
import dev.keelson.api.LabelSelector;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.SharedLabels;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Reads the label selectors of workloads. */
public final class Selectors {

  private Selectors() {}

  /**
   * The selector of a LabelSelector object; empty if an operator is unknown, which validation
   * rejects.
   */
  public static Optional<LabelSelector> of(MapNode selector) {
    List<LabelRequirement> requirements = new ArrayList<>();
    // its texts are those of the labels that the object has as well
    SharedLabels.of(selector.map("matchLabels").texts())
        .forEach(
            (key, value) ->
                requirements.add(new LabelRequirement(key, Operator.IN, Set.of(value))));
    for (MapNode expression : selector.maps("matchExpressions")) {
      Operator operator =
          switch (expression.text("operator").toLowerCase(Locale.ROOT)) {
            case "in" -> Operator.IN;
            case "notin" -> Operator.NOT_IN;
            case "exists" -> Operator.EXISTS;
            case "doesnotexist" -> Operator.DOES_NOT_EXIST;
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
      requirements.add(new LabelRequirement(expression.text("key"), operator, values));
    }
    return Optional.of(new LabelSelector(requirements));
  }
}
