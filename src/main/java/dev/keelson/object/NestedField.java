package dev.keelson.object;

import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is at a path of field names in an object without a schema (source: the accessors of
 * apimachinery's {@code unstructured}, whose errors clients see).
 *
 * @param path the names, outermost first
 * @param value null if there is nothing
 * @param problem why the path cannot be followed, in apimachinery's words, or empty
 */
public record NestedField(List<String> path, @Nullable Node value, String problem) {

  public NestedField {
    path = List.copyOf(path);
  }

  /** The names of a path with dots between them; one in front is ignored. */
  public static List<String> names(String dotted) {
    return List.of((dotted.startsWith(".") ? dotted.substring(1) : dotted).split("\\.", -1));
  }

  /** What is at a path, as {@link #names} reads it. */
  public static NestedField of(MapNode object, String dotted) {
    List<String> path = names(dotted);
    Node value = object;
    for (int i = 0; i < path.size(); i++) {
      if (value == Node.Null.NULL) {
        return new NestedField(path, null, "");
      }
      if (!(value instanceof MapNode map)) {
        return new NestedField(
            path, null, problem(path.subList(0, i + 1), value, "map[string]interface{}"));
      }
      Node next = map.get(path.get(i));
      if (next == null) {
        return new NestedField(path, null, "");
      }
      value = next;
    }
    return new NestedField(path, value, "");
  }

  /** The problem if the field has to be an integer; empty if it is one or is not there. */
  public String problemAsInteger() {
    return value == null || value instanceof Node.Int ? problem : problem(path, value, "int64");
  }

  /** The problem if the field has to be a string; empty if it is one or is not there. */
  public String problemAsText() {
    return value == null || value instanceof Node.Text ? problem : problem(path, value, "string");
  }

  private static String problem(List<String> path, Node value, String expected) {
    return "."
        + String.join(".", path)
        + " accessor error: "
        + GoText.of(value)
        + " is of the type "
        + type(value)
        + ", expected "
        + expected;
  }

  private static String type(Node value) {
    return switch (value) {
      case Node.Text _ -> "string";
      case Node.Int _ -> "int64";
      case Node.Decimal _ -> "float64";
      case Node.Bool _ -> "bool";
      case Node.Null _ -> "<nil>";
      case Items _ -> "[]interface {}";
      case MapNode _ -> "map[string]interface {}";
    };
  }
}
