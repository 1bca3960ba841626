package dev.keelson.controller.disruption;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.TreeMap;

/** Writes a LabelSelector as the generated code of Kubernetes' types does in messages. */
final class SelectorText {

  private SelectorText() {}

  static String of(MapNode selector) {
    StringBuilder text = new StringBuilder("&LabelSelector{MatchLabels:map[string]string{");
    new TreeMap<>(selector.map("matchLabels").texts())
        .forEach((key, value) -> text.append(key).append(": ").append(value).append(','));
    text.append("},MatchExpressions:[]LabelSelectorRequirement{");
    for (MapNode each : selector.maps("matchExpressions")) {
      String values =
          String.join(
              " ",
              each.items("values").stream()
                  .map(value -> value instanceof Node.Text word ? word.value() : "")
                  .toList());
      text.append("LabelSelectorRequirement{Key:")
          .append(each.text("key"))
          .append(",Operator:")
          .append(each.text("operator"))
          .append(",Values:[")
          .append(values)
          .append("],},");
    }
    return text.append("},}").toString();
  }
}
