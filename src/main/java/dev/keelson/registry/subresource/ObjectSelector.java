package dev.keelson.registry.subresource;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The selectors inside objects, in the notation of a list's {@code labelSelector}. */
final class ObjectSelector {

  private record Requirement(String key, String text) {}

  private ObjectSelector() {}

  /**
   * The notation of a {@code LabelSelector} with {@code matchLabels} and {@code matchExpressions}.
   *
   * @return empty if it has an unknown operator
   */
  static Optional<String> text(MapNode selector) {
    List<Requirement> requirements = new ArrayList<>();
    selector
        .map("matchLabels")
        .texts()
        .forEach((key, value) -> requirements.add(new Requirement(key, key + "=" + value)));
    for (Node item : selector.items("matchExpressions")) {
      MapNode expression = item instanceof MapNode map ? map : MapNode.EMPTY;
      String key = expression.text("key");
      String values =
          " ("
              + String.join(
                  ",",
                  expression.items("values").stream()
                      .map(value -> value instanceof Node.Text text ? text.value() : "")
                      .sorted()
                      .toList())
              + ")";
      switch (expression.text("operator")) {
        case "In" -> requirements.add(new Requirement(key, key + " in" + values));
        case "NotIn" -> requirements.add(new Requirement(key, key + " notin" + values));
        case "Exists" -> requirements.add(new Requirement(key, key));
        case "DoesNotExist" -> requirements.add(new Requirement(key, "!" + key));
        default -> {
          return Optional.empty();
        }
      }
    }
    return Optional.of(joined(requirements));
  }

  /** The notation of a plain set of labels. */
  static String ofLabels(MapNode labels) {
    List<Requirement> requirements = new ArrayList<>();
    labels
        .texts()
        .forEach((key, value) -> requirements.add(new Requirement(key, key + "=" + value)));
    return joined(requirements);
  }

  private static String joined(List<Requirement> requirements) {
    return String.join(
        ",",
        requirements.stream()
            .sorted(Comparator.comparing(Requirement::key))
            .map(Requirement::text)
            .toList());
  }
}
