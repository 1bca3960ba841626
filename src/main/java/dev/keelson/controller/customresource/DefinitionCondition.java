package dev.keelson.controller.customresource;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A condition of a CustomResourceDefinition.
 *
 * @param status {@code True}, {@code False} or {@code Unknown}
 */
record DefinitionCondition(String type, String status, String reason, String message) {

  static final String NAMES_ACCEPTED = "NamesAccepted";
  static final String ESTABLISHED = "Established";
  static final String NON_STRUCTURAL = "NonStructuralSchema";
  static final String APPROVED = "KubernetesAPIApprovalPolicyConformant";
  static final String TERMINATING = "Terminating";

  static final String TRUE = "True";
  static final String FALSE = "False";
  static final String UNKNOWN = "Unknown";

  static DefinitionCondition of(MapNode node) {
    return new DefinitionCondition(
        node.text("type"), node.text("status"), node.text("reason"), node.text("message"));
  }

  boolean isTrue() {
    return status.equals(TRUE);
  }

  /** The condition of this type in {@code status}. */
  static Optional<DefinitionCondition> find(MapNode status, String type) {
    return status.maps("conditions").stream()
        .filter(condition -> condition.text("type").equals(type))
        .findFirst()
        .map(DefinitionCondition::of);
  }

  /**
   * Sets this condition in {@code status}: replaces the one of its type in place, or adds it at the
   * end. Its lastTransitionTime becomes {@code now} if its status changes; other fields stay.
   */
  MapNode set(MapNode status, String now) {
    List<Node> conditions = new ArrayList<>(status.items("conditions"));
    for (int i = 0; i < conditions.size(); i++) {
      if (conditions.get(i) instanceof MapNode known && known.text("type").equals(type)) {
        String since = known.text("lastTransitionTime");
        boolean unchanged = known.text("status").equals(this.status) && !since.isEmpty();
        conditions.set(i, in(known, unchanged ? since : now));
        return status.with("conditions", new Node.Items(conditions));
      }
    }
    conditions.add(in(MapNode.EMPTY, now));
    return status.with("conditions", new Node.Items(conditions));
  }

  /** Removes the condition of a type. */
  static MapNode remove(MapNode status, String type) {
    List<Node> conditions =
        status.items("conditions").stream()
            .filter(item -> !(item instanceof MapNode known && known.text("type").equals(type)))
            .toList();
    return status.with("conditions", new Node.Items(conditions));
  }

  private MapNode in(MapNode known, String since) {
    return known
        .with("type", Node.text(type))
        .with("status", Node.text(status))
        .with("lastTransitionTime", Node.text(since))
        .with("reason", Node.text(reason))
        .with("message", Node.text(message));
  }
}
