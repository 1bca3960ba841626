package dev.keelson.registry.subresource;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/** The conditions of a status, at most one of each type. */
final class StatusConditions {

  private static final String SINCE = "lastTransitionTime";

  private StatusConditions() {}

  /**
   * The status with a condition in place of the one of its type, as the last of the list.
   *
   * @param condition with the present as {@code lastTransitionTime}; if the current condition has
   *     the same status, its time is kept instead, or its lack of one
   */
  static MapNode set(MapNode status, MapNode condition) {
    MapNode next = condition;
    List<Node> conditions = new ArrayList<>();
    for (Node item : status.items("conditions")) {
      if (item instanceof MapNode current && current.text("type").equals(condition.text("type"))) {
        if (current.text("status").equals(condition.text("status"))) {
          Node since = current.get(SINCE);
          next = since == null ? next.without(SINCE) : next.with(SINCE, since);
        }
      } else {
        conditions.add(item);
      }
    }
    conditions.add(next);
    return status.with("conditions", new Node.Items(conditions));
  }
}
