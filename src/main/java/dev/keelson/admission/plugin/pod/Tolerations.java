package dev.keelson.admission.plugin.pod;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Merges and compares tolerations (source: {@code pkg/util/tolerations}). */
final class Tolerations {

  private Tolerations() {}

  /**
   * Adds a toleration to a pod's spec. One of the same taint is replaced by it; one that is the
   * same stays.
   */
  static MapNode added(MapNode spec, MapNode toleration) {
    List<Node> all = new ArrayList<>(spec.items("tolerations"));
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i) instanceof MapNode known && matches(known, toleration)) {
        if (known.equals(toleration)) {
          return spec;
        }
        all.set(i, toleration);
        return spec.with("tolerations", new Node.Items(all));
      }
    }
    all.add(toleration);
    return spec.with("tolerations", new Node.Items(all));
  }

  private static boolean matches(MapNode one, MapNode other) {
    return one.text("key").equals(other.text("key"))
        && one.text("effect").equals(other.text("effect"))
        && operator(one).equals(operator(other))
        && one.text("value").equals(other.text("value"));
  }

  private static String operator(MapNode toleration) {
    return toleration.text("operator").isEmpty() ? "Equal" : toleration.text("operator");
  }

  /**
   * Whether {@code wide} tolerates every taint that {@code narrow} does, for at least as long. A
   * comparison by number is only a superset of itself.
   */
  static boolean isSuperset(MapNode wide, MapNode narrow) {
    if (wide.equals(narrow)) {
      return true;
    }
    if (!wide.text("key").equals(narrow.text("key"))
        && (!wide.text("key").isEmpty() || !operator(wide).equals("Exists"))) {
      return false;
    }
    if (!wide.text("effect").isEmpty() && !wide.text("effect").equals(narrow.text("effect"))) {
      return false;
    }
    if (wide.text("effect").equals("NoExecute") && !lastsAsLong(wide, narrow)) {
      return false;
    }
    return switch (operator(wide)) {
      case "Equal" ->
          operator(narrow).equals("Equal") && wide.text("value").equals(narrow.text("value"));
      case "Exists" -> true;
      default ->
          operator(wide).equals(operator(narrow))
              && wide.text("value").equals(narrow.text("value"));
    };
  }

  private static boolean lastsAsLong(MapNode wide, MapNode narrow) {
    Node longest = wide.get("tolerationSeconds");
    Node other = narrow.get("tolerationSeconds");
    if (longest == null) {
      return true;
    }
    return longest instanceof Node.Int most
        && other instanceof Node.Int seconds
        && seconds.value() <= most.value();
  }

  /**
   * Merges tolerations: of two of which one is a superset, only that one remains; the pod's come
   * first.
   */
  static List<MapNode> merged(List<MapNode> first, List<MapNode> second) {
    List<MapNode> all = new ArrayList<>(first);
    all.addAll(second);
    List<MapNode> merged = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (!covered(all, merged, i)) {
        merged.add(all.get(i));
      }
    }
    return merged;
  }

  private static boolean covered(List<MapNode> all, List<MapNode> merged, int position) {
    MapNode toleration = all.get(position);
    for (MapNode known : merged) {
      if (isSuperset(known, toleration)) {
        return true;
      }
    }
    for (int i = position + 1; i < all.size(); i++) {
      if (!Objects.equals(all.get(i), toleration) && isSuperset(all.get(i), toleration)) {
        return true;
      }
    }
    return false;
  }

  /** Whether each toleration is covered by one of {@code allowed}. */
  static boolean allowed(List<MapNode> tolerations, List<MapNode> allowed) {
    return tolerations.stream()
        .allMatch(each -> allowed.stream().anyMatch(wide -> isSuperset(wide, each)));
  }
}
