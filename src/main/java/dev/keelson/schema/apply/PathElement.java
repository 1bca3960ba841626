package dev.keelson.schema.apply;

import dev.keelson.object.Node;
import dev.keelson.work.Turn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One step of a path to a field, in the text that fieldsV1 has for it: {@code f:name} is a field or
 * the key of a map, {@code k:{"name":"web"}} the item of a list by its keys, {@code v:"a"} the item
 * of a set, {@code i:3} the item at a position. The text is canonical, so that equal steps are
 * equal strings.
 */
final class PathElement {

  private static final String ORDER = "fkvi";

  private PathElement() {}

  /** The field {@code name}. */
  static String field(String name) {
    return "f:" + name;
  }

  /** Whether the step is a field. */
  static boolean isField(String element) {
    return element.startsWith("f:");
  }

  /** The list item with these keys, by name. */
  static String key(Map<String, Node> keys) {
    StringBuilder text = new StringBuilder("k:{");
    new TreeMap<>(keys)
        .forEach(
            (name, value) -> {
              text.append(text.length() > 3 ? "," : "");
              FlatJson.quote(name, text);
              text.append(':');
              FlatJson.scalar(value, text);
            });
    return text.append('}').toString();
  }

  /** The item of a set. */
  static String value(Node value) {
    StringBuilder text = new StringBuilder("v:");
    FlatJson.scalar(value, text);
    return text.toString();
  }

  /**
   * Whether the step is of a kind that only later versions know. Kubernetes passes over these, and
   * over what is below them.
   */
  static boolean isForeign(String element) {
    return element.length() >= 2
        && element.charAt(1) == ':'
        && ORDER.indexOf(element.charAt(0)) < 0;
  }

  /**
   * The canonical form of a step that a client wrote, or empty if it is malformed.
   *
   * <p>Source: the path elements of structured-merge-diff's fieldpath.
   */
  static Optional<String> canonical(String element) {
    if (element.length() < 2 || element.charAt(1) != ':') {
      return Optional.empty();
    }
    String rest = element.substring(2);
    try {
      return switch (element.charAt(0)) {
        case 'f' -> Optional.of(element);
        case 'k' -> Optional.of(key(FlatJson.object(rest)));
        case 'v' -> Optional.of(value(FlatJson.value(rest)));
        case 'i' -> Optional.of("i:" + Integer.parseInt(rest));
        default -> Optional.empty();
      };
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
  }

  /** The order of steps within fieldsV1. */
  static int compare(String left, String right) {
    Turn.pass();
    char kind = left.charAt(0);
    if (kind != right.charAt(0)) {
      return Integer.compare(ORDER.indexOf(kind), ORDER.indexOf(right.charAt(0)));
    }
    if (left.equals(right)) {
      return 0;
    }
    return switch (kind) {
      case 'k' -> {
        int name = onlyText(left);
        yield name > 0 && left.regionMatches(0, right, 0, name) && onlyText(right) == name
            ? compareTexts(left, right, name)
            : compareKeys(FlatJson.object(left.substring(2)), FlatJson.object(right.substring(2)));
      }
      case 'v' ->
          compareScalars(FlatJson.value(left.substring(2)), FlatJson.value(right.substring(2)));
      case 'i' ->
          Integer.compare(
              Integer.parseInt(left.substring(2)), Integer.parseInt(right.substring(2)));
      default -> left.compareTo(right);
    };
  }

  /**
   * Where the value begins in the text of an item with one key, whose value is a string without
   * escapes: {@code k:{"name":"web"}}; 0 for others.
   */
  private static int onlyText(String element) {
    int value = element.indexOf("\":\"") + 3;
    return value > 3
            && element.indexOf('\\') < 0
            && element.indexOf('"', value) == element.length() - 2
        ? value
        : 0;
  }

  /** Compares the strings that begin at {@code from} and end two characters before the end. */
  private static int compareTexts(String left, String right, int from) {
    int mine = left.length() - 2;
    int theirs = right.length() - 2;
    for (int i = from; i < Math.min(mine, theirs); i++) {
      int order = Character.compare(left.charAt(i), right.charAt(i));
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(mine, theirs);
  }

  private static int compareKeys(Map<String, Node> left, Map<String, Node> right) {
    List<Map.Entry<String, Node>> mine = new ArrayList<>(left.entrySet());
    List<Map.Entry<String, Node>> theirs = new ArrayList<>(right.entrySet());
    for (int i = 0; i < Math.min(mine.size(), theirs.size()); i++) {
      int order = mine.get(i).getKey().compareTo(theirs.get(i).getKey());
      if (order == 0) {
        order = compareScalars(mine.get(i).getValue(), theirs.get(i).getValue());
      }
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(mine.size(), theirs.size());
  }

  /** Numbers come before strings, strings before booleans. */
  private static int compareScalars(Node left, Node right) {
    int rank = Integer.compare(rank(left), rank(right));
    if (rank != 0) {
      return rank;
    }
    if (left instanceof Node.Int mine && right instanceof Node.Int theirs) {
      return Long.compare(mine.value(), theirs.value());
    }
    if (left instanceof Node.Text mine && right instanceof Node.Text theirs) {
      return mine.value().compareTo(theirs.value());
    }
    if (rank(left) == 0) {
      return Double.compare(number(left), number(right));
    }
    return left == right ? 0 : left == Node.Bool.FALSE ? -1 : 1;
  }

  private static double number(Node node) {
    return node instanceof Node.Int number
        ? number.value()
        : node instanceof Node.Decimal decimal ? Double.parseDouble(decimal.literal()) : 0;
  }

  private static int rank(Node node) {
    return switch (node) {
      case Node.Int _, Node.Decimal _ -> 0;
      case Node.Text _ -> 1;
      case Node.Bool _ -> 2;
      default -> 3;
    };
  }

  /** The step as messages show it: {@code .name}, {@code [name="web"]}, {@code [="a"]}. */
  static String shown(String element) {
    String rest = element.substring(2);
    return switch (element.charAt(0)) {
      case 'k' -> {
        List<String> parts = new ArrayList<>();
        FlatJson.object(rest)
            .forEach((name, value) -> parts.add(name + "=" + FlatJson.text(value)));
        yield "[" + String.join(",", parts) + "]";
      }
      case 'v' -> "[=" + rest + "]";
      case 'i' -> "[" + rest + "]";
      default -> "." + rest;
    };
  }
}
