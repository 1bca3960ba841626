package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Values of a tree as a cell shows them. */
final class Text {

  private static final String NONE = "<none>";
  private static final Set<String> OPERATORS = Set.of("In", "NotIn", "Exists", "DoesNotExist");

  private Text() {}

  /** The elements that are strings. */
  static List<String> texts(List<Node> items) {
    List<String> texts = new ArrayList<>(items.size());
    for (Node item : items) {
      if (item instanceof Node.Text text) {
        texts.add(text.value());
      }
    }
    return texts;
  }

  /** The name of an object, with a mark if one of the annotations makes it the default. */
  static String marked(MapNode object, String... annotations) {
    MapNode metadata = object.map("metadata");
    String name = metadata.text("name");
    for (String annotation : annotations) {
      if (metadata.map("annotations").text(annotation).equals("true")) {
        return name + " (default)";
      }
    }
    return name;
  }

  /** One field of every element. */
  static String joined(List<Node> items, String key, String separator) {
    List<String> values = new ArrayList<>(items.size());
    for (MapNode item : Node.maps(items)) {
      values.add(item.text(key));
    }
    return String.join(separator, values);
  }

  static long number(MapNode node, String key) {
    return node.get(key) instanceof Node.Int value ? value.value() : 0;
  }

  static boolean flag(MapNode node, String key) {
    return node.get(key) == Node.Bool.TRUE;
  }

  /** A number or string as it is written; {@code otherwise} for everything else. */
  static String value(@Nullable Node node, String otherwise) {
    return switch (node) {
      case Node.Int value -> Long.toString(value.value());
      case Node.Text text -> text.value();
      case Node.Decimal decimal -> decimal.literal();
      case null, default -> otherwise;
    };
  }

  /** Whether a condition of the type has the status True. */
  static boolean condition(MapNode status, String type) {
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals(type)) {
        return condition.text("status").equals("True");
      }
    }
    return false;
  }

  /**
   * Labels, sorted as they are written: {@code app.kubernetes.io/name=a} stands before {@code
   * app=a}, as in Kubernetes.
   */
  static String labels(MapNode labels) {
    if (labels.isEmpty()) {
      return NONE;
    }
    List<String> pairs = new ArrayList<>();
    labels.texts().forEach((key, value) -> pairs.add(key + "=" + value));
    pairs.sort(null);
    return String.join(",", pairs);
  }

  /** A label selector as {@link #query} writes it, with a word in place of the empty one. */
  static String selector(MapNode selector) {
    String query = query(selector, "<error>");
    return query.isEmpty() ? NONE : query;
  }

  /**
   * A label selector in the language of queries, requirements in the order of their keys.
   *
   * @param invalid what stands for one with an operator that there is not
   */
  static String query(MapNode selector, String invalid) {
    List<Map.Entry<String, String>> terms = new ArrayList<>();
    selector
        .map("matchLabels")
        .texts()
        .forEach((key, value) -> terms.add(Map.entry(key, key + "=" + value)));
    for (MapNode term : selector.maps("matchExpressions")) {
      String key = term.text("key");
      String operator = term.text("operator");
      if (!OPERATORS.contains(operator)) {
        return invalid;
      }
      List<String> values = new ArrayList<>(texts(term.items("values")));
      values.sort(null);
      String set = " (" + String.join(",", values) + ")";
      terms.add(
          Map.entry(
              key,
              switch (operator) {
                case "In" -> key + " in" + set;
                case "NotIn" -> key + " notin" + set;
                case "DoesNotExist" -> "!" + key;
                default -> key;
              }));
    }
    terms.sort(Map.Entry.comparingByKey());
    return String.join(",", terms.stream().map(Map.Entry::getValue).toList());
  }

  /** The first {@code shown} of a list, and how many more there are. */
  static String firsts(List<String> all, int shown, String separator) {
    String text = String.join(separator, all.subList(0, Math.min(shown, all.size())));
    return all.size() > shown ? text + " + " + (all.size() - shown) + " more..." : text;
  }
}
