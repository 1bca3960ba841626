package dev.keelson.schema.jsonpath;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/** Follows the steps of a path in one object. Used by one thread. */
final class Evaluation {

  /** Far above what a cell needs; wildcards below descents would multiply without bound. */
  private static final int MAX_VISITED = 100_000;

  private int visited;

  /** The values that {@code steps} find in {@code values}. */
  List<Node> follow(List<Node> values, List<Step> steps) {
    List<Node> current = values;
    for (Step step : steps) {
      current = follow(current, step);
    }
    return current;
  }

  private List<Node> follow(List<Node> values, Step step) {
    visit(values.size());
    List<Node> found = new ArrayList<>();
    switch (step) {
      case Step.Field field -> {
        for (Node value : values) {
          Node inner = value instanceof MapNode map ? map.get(field.name()) : null;
          if (inner != null) {
            found.add(inner);
          }
        }
      }
      case Step.Wildcard _ -> values.forEach(value -> found.addAll(parts(value)));
      case Step.Descent _ -> values.forEach(value -> descend(value, found));
      case Step.Slice slice -> values.forEach(value -> found.addAll(elements(value, slice)));
      case Step.Filter filter -> values.forEach(value -> filter(value, filter, found));
      case Step.Union union -> union.paths().forEach(path -> found.addAll(follow(values, path)));
      case Step.Literal literal -> values.forEach(_ -> found.add(literal.value()));
      case Step.Keyword keyword -> throw failed("unrecognized identifier " + keyword.word());
    }
    return found;
  }

  private void visit(int more) {
    visited += more + 1;
    if (visited > MAX_VISITED) {
      throw failed("too many values");
    }
  }

  private static UnfollowableException failed(String message) {
    return new UnfollowableException(message);
  }

  private static List<Node> parts(Node value) {
    return switch (value) {
      case MapNode map -> {
        List<Node> values = new ArrayList<>(map.size());
        map.forEach((_, inner) -> values.add(inner));
        yield values;
      }
      case Items items -> items.values();
      case Node.Text _, Node.Int _, Node.Decimal _, Node.Bool _, Node.Null _ -> List.of();
    };
  }

  private void descend(Node value, List<Node> found) {
    List<Node> parts = parts(value);
    visit(parts.size());
    if (!parts.isEmpty()) {
      found.add(value);
      parts.forEach(part -> descend(part, found));
    }
  }

  private static List<Node> elements(Node value, Step.Slice slice) {
    if (value == Node.Null.NULL) {
      return List.of();
    }
    List<Node> elements = value instanceof Items items ? slice.range().of(items.values()) : null;
    if (elements == null) {
      throw failed("array index out of bounds");
    }
    return elements;
  }

  private void filter(Node value, Step.Filter filter, List<Node> found) {
    if (!(value instanceof Items items)) {
      throw failed("not an array");
    }
    for (Node item : items.values()) {
      if (passes(item, filter)) {
        found.add(item);
      }
    }
  }

  private boolean passes(Node item, Step.Filter filter) {
    List<Node> start = List.of(item);
    if (filter.operator().equals(Step.Filter.EXISTS)) {
      return !leftOf(start, filter).isEmpty();
    }
    List<Node> left = follow(start, filter.left());
    List<Node> right = left.isEmpty() ? List.of() : follow(start, filter.right());
    if (left.isEmpty() || right.isEmpty()) {
      return false;
    }
    if (left.size() > 1 || right.size() > 1) {
      throw failed("can only compare one element at a time");
    }
    return Comparison.holds(left.getFirst(), filter.operator(), right.getFirst());
  }

  /** What is tested for existence; a path that cannot be followed finds nothing. */
  private List<Node> leftOf(List<Node> start, Step.Filter filter) {
    try {
      return follow(start, filter.left());
    } catch (UnfollowableException absent) {
      visit(0);
      return List.of();
    }
  }
}
