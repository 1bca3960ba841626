package dev.keelson.controller.workload;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Writes LabelSelector objects as text. */
public final class SelectorText {

  private SelectorText() {}

  /** As the generated code of Kubernetes' types does in messages. */
  public static String of(MapNode selector) {
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

  /** As a query has it: {@code a=b,c in (d,e)}; empty if everything is selected. */
  public static String query(MapNode selector) {
    List<String> parts = new ArrayList<>();
    new TreeMap<>(selector.map("matchLabels").texts())
        .forEach((key, value) -> parts.add(key + "=" + value));
    for (MapNode each : selector.maps("matchExpressions")) {
      String key = each.text("key");
      List<String> values = new ArrayList<>();
      for (Node value : each.items("values")) {
        if (value instanceof Node.Text word) {
          values.add(word.value());
        }
      }
      String among = " (" + String.join(",", values) + ")";
      parts.add(
          switch (each.text("operator")) {
            case "In" -> key + " in" + among;
            case "NotIn" -> key + " notin" + among;
            case "DoesNotExist" -> "!" + key;
            default -> key;
          });
    }
    return String.join(",", parts);
  }
}
