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
   * The status with a condition in the place of the one of its type, or else as the last (source:
   * {@code UpdatePodCondition}, {@code meta.SetStatusCondition}).
   *
   * @param condition with the present as {@code lastTransitionTime}; if the current condition has
   *     the same status, its time is kept instead, or its lack of one
   */
  static MapNode set(MapNode status, MapNode condition) {
    List<Node> conditions = new ArrayList<>(status.items("conditions"));
    for (int i = 0; i < conditions.size(); i++) {
      if (conditions.get(i) instanceof MapNode current
          && current.text("type").equals(condition.text("type"))) {
        conditions.set(
            i,
            current.text("status").equals(condition.text("status"))
                ? sinceThen(condition, current)
                : condition);
        return status.with("conditions", new Node.Items(conditions));
      }
    }
    conditions.add(condition);
    return status.with("conditions", new Node.Items(conditions));
  }

  private static MapNode sinceThen(MapNode condition, MapNode current) {
    Node since = current.get(SINCE);
    return since == null ? condition.without(SINCE) : condition.with(SINCE, since);
  }
}
