package dev.keelson.admission.match;

import dev.keelson.api.LabelRequirement;
import dev.keelson.api.LabelRequirement.Operator;
import dev.keelson.api.LabelSelector;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Selectors inside objects: {@code matchLabels} and {@code matchExpressions}. */
public final class NodeSelectors {

  private NodeSelectors() {}

  /**
   * The selector of a valid {@code LabelSelector}.
   *
   * @throws IllegalArgumentException if an operator is not known
   */
  public static LabelSelector of(MapNode selector) {
    List<LabelRequirement> requirements = new ArrayList<>();
    selector
        .map("matchLabels")
        .texts()
        .forEach(
            (key, value) ->
                requirements.add(new LabelRequirement(key, Operator.IN, Set.of(value))));
    for (MapNode expression : Node.maps(selector.items("matchExpressions"))) {
      Set<String> values = new HashSet<>();
      for (Node value : expression.items("values")) {
        if (value instanceof Node.Text text) {
          values.add(text.value());
        }
      }
      requirements.add(new LabelRequirement(expression.text("key"), operator(expression), values));
    }
    return requirements.isEmpty() ? LabelSelector.EVERYTHING : new LabelSelector(requirements);
  }

  private static Operator operator(MapNode expression) {
    String word = expression.text("operator");
    return switch (word) {
      case "In" -> Operator.IN;
      case "NotIn" -> Operator.NOT_IN;
      case "Exists" -> Operator.EXISTS;
      case "DoesNotExist" -> Operator.DOES_NOT_EXIST;
      default ->
          throw new IllegalArgumentException(
              "\"" + word + "\" is not a valid label selector operator");
    };
  }
}
