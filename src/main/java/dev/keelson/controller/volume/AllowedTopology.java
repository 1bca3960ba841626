package dev.keelson.controller.volume;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Where volumes of a StorageClass can be made: the {@code allowedTopologies}.
 *
 * @param terms of which one must hold; each has the values of labels that all must hold
 */
public record AllowedTopology(List<List<Label>> terms) {

  /** A label with its values. */
  record Label(String key, Set<String> values) {
    Label {
      values = Set.copyOf(values);
    }
  }

  public AllowedTopology {
    terms = terms.stream().map(List::copyOf).toList();
  }

  static AllowedTopology of(MapNode storageClass) {
    List<List<Label>> terms = new ArrayList<>();
    for (MapNode term : storageClass.maps("allowedTopologies")) {
      List<Label> labels = new ArrayList<>();
      for (MapNode expression : term.maps("matchLabelExpressions")) {
        Set<String> values = new HashSet<>();
        for (Node value : expression.items("values")) {
          if (value instanceof Node.Text text) {
            values.add(text.value());
          }
        }
        labels.add(new Label(expression.text("key"), values));
      }
      terms.add(labels);
    }
    return new AllowedTopology(terms);
  }

  /** Whether a volume can be made for a node with these labels; without terms for every node. */
  public boolean allows(Map<String, String> nodeLabels) {
    return terms.isEmpty()
        || terms.stream()
            .anyMatch(
                term ->
                    !term.isEmpty() && term.stream().allMatch(label -> holds(label, nodeLabels)));
  }

  private static boolean holds(Label label, Map<String, String> nodeLabels) {
    String value = nodeLabels.get(label.key());
    return value != null && label.values().contains(value);
  }
}
