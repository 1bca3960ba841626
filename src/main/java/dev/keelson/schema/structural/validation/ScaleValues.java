package dev.keelson.schema.structural.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoFloat;
import java.util.ArrayList;
import java.util.List;

/**
 * The values that the scale subresource reads: numbers of replicas and the selector (source: {@code
 * ValidateScaleSpec} and {@code ValidateScaleStatus} of apiextensions-apiserver).
 */
final class ScaleValues {

  private ScaleValues() {}

  /** Reports a wrong number of desired replicas. */
  static void checkSpec(MapNode object, MapNode scale, Findings findings) {
    if (!scale.isEmpty()) {
      replicas(object, scale.text("specReplicasPath"), findings);
    }
  }

  /** Reports a wrong number of current replicas, and a wrong selector. */
  static void checkStatus(MapNode object, MapNode scale, Findings findings) {
    if (scale.isEmpty()) {
      return;
    }
    replicas(object, scale.text("statusReplicasPath"), findings);
    String path = scale.text("labelSelectorPath");
    if (!path.isEmpty()) {
      Found found = find(object, path);
      String problem =
          found.value() == null || found.value() instanceof Node.Text
              ? found.problem()
              : mismatch(path, found.value(), "string");
      if (!problem.isEmpty()) {
        findings.invalidValue(Place.ROOT.field(path), Node.text(""), problem);
      }
    }
  }

  private static void replicas(MapNode object, String path, Findings findings) {
    Place at = Place.ROOT.field(path);
    Found found = find(object, path);
    if (found.value() instanceof Node.Int number) {
      if (number.value() < 0) {
        findings.invalidValue(at, number, "should be a non-negative integer");
      } else if (number.value() > Integer.MAX_VALUE) {
        findings.invalidValue(at, number, "should be less than or equal to " + Integer.MAX_VALUE);
      }
      return;
    }
    String problem =
        found.value() == null ? found.problem() : mismatch(path, found.value(), "int64");
    if (!problem.isEmpty()) {
      findings.invalidValue(at, new Node.Int(0), problem);
    }
  }

  /**
   * What is at a path.
   *
   * @param value null if there is nothing
   * @param problem why the path cannot be followed, or empty
   */
  private record Found(@org.jspecify.annotations.Nullable Node value, String problem) {}

  private static List<String> steps(String path) {
    return List.of((path.startsWith(".") ? path.substring(1) : path).split("\\.", -1));
  }

  private static Found find(MapNode object, String path) {
    List<String> steps = steps(path);
    Node value = object;
    for (int i = 0; i < steps.size(); i++) {
      if (value == Node.Null.NULL) {
        return new Found(null, "");
      }
      if (!(value instanceof MapNode map)) {
        return new Found(
            null,
            "."
                + String.join(".", steps.subList(0, i + 1))
                + " accessor error: "
                + described(value)
                + ", expected map[string]interface {}");
      }
      Node next = map.get(steps.get(i));
      if (next == null) {
        return new Found(null, "");
      }
      value = next;
    }
    return new Found(value, "");
  }

  private static String mismatch(String path, Node value, String expected) {
    return "."
        + String.join(".", steps(path))
        + " accessor error: "
        + described(value)
        + ", expected "
        + expected;
  }

  private static String described(Node value) {
    String type =
        switch (value) {
          case Node.Text _ -> "string";
          case Node.Int _ -> "int64";
          case Node.Decimal _ -> "float64";
          case Node.Bool _ -> "bool";
          case Node.Null _ -> "<nil>";
          case Items _ -> "[]interface {}";
          case MapNode _ -> "map[string]interface {}";
        };
    return printed(value) + " is of the type " + type;
  }

  /** The value as Go's verb {@code %v} prints it. */
  private static String printed(Node value) {
    return switch (value) {
      case Node.Text text -> text.value();
      case Node.Int number -> Long.toString(number.value());
      case Node.Decimal number -> GoFloat.print(Double.parseDouble(number.literal()));
      case Node.Bool bool -> Boolean.toString(bool.value());
      case Node.Null _ -> "<nil>";
      case Items items -> {
        List<String> parts = new ArrayList<>();
        items.values().forEach(item -> parts.add(printed(item)));
        yield "[" + String.join(" ", parts) + "]";
      }
      case MapNode map -> {
        List<String> parts = new ArrayList<>();
        map.forEach((key, item) -> parts.add(key + ":" + printed(item)));
        yield "map[" + String.join(" ", parts) + "]";
      }
    };
  }
}
