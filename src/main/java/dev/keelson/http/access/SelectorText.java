package dev.keelson.http.access;

import dev.keelson.api.FieldCause;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/** The selectors of an access review (KEP-4601): a raw selector or requirements, never both. */
final class SelectorText {

  private SelectorText() {}

  /**
   * Returns the selector in query syntax; empty if the review has none. Unknown operators are
   * omitted, which widens the request and never allows too much.
   */
  static String of(MapNode selector) {
    String raw = selector.text("rawSelector");
    if (!raw.isEmpty()) {
      return raw;
    }
    List<String> terms = new ArrayList<>();
    for (Node node : selector.items("requirements")) {
      if (node instanceof MapNode requirement) {
        String key = requirement.text("key");
        String values = String.join(",", values(requirement));
        switch (requirement.text("operator")) {
          case "In" -> terms.add(key + " in (" + values + ")");
          case "NotIn" -> terms.add(key + " notin (" + values + ")");
          case "Exists" -> terms.add(key);
          case "DoesNotExist" -> terms.add("!" + key);
          default -> {
            // unknown operator
          }
        }
      }
    }
    return String.join(",", terms);
  }

  static List<FieldCause> violations(MapNode selector, String path) {
    List<FieldCause> causes = new ArrayList<>();
    String raw = selector.text("rawSelector");
    List<Node> requirements = selector.items("requirements");
    if (!raw.isEmpty() && !requirements.isEmpty()) {
      causes.add(
          FieldCause.invalid(
              path + ".rawSelector", raw, "may not specified at the same time as requirements"));
    }
    for (int i = 0; i < requirements.size(); i++) {
      if (requirements.get(i) instanceof MapNode requirement) {
        String at = path + ".requirements[" + i + "]";
        if (requirement.text("key").isEmpty()) {
          causes.add(FieldCause.required(at + ".key", "must be specified"));
        }
        boolean some = !values(requirement).isEmpty();
        switch (requirement.text("operator")) {
          case "In", "NotIn" -> {
            if (!some) {
              causes.add(
                  FieldCause.required(
                      at + ".values", "must be specified when `operator` is 'In' or 'NotIn'"));
            }
          }
          case "Exists", "DoesNotExist" -> {
            if (some) {
              causes.add(
                  FieldCause.forbidden(
                      at + ".values",
                      "may not be specified when `operator` is 'Exists' or 'DoesNotExist'"));
            }
          }
          default ->
              causes.add(
                  FieldCause.invalid(
                      at + ".operator",
                      requirement.text("operator"),
                      "not a valid selector operator"));
        }
      }
    }
    return causes;
  }

  private static List<String> values(MapNode requirement) {
    List<String> values = new ArrayList<>();
    for (Node value : requirement.items("values")) {
      if (value instanceof Node.Text text) {
        values.add(text.value());
      }
    }
    return values;
  }
}
