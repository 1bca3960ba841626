package dev.keelson.controller.namespace;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The conditions of a terminating namespace (source: kube-controller-manager's namespace
 * controller).
 */
final class NamespaceConditions {

  /**
   * A condition.
   *
   * @param problem whether its status is True
   */
  private record Condition(String type, boolean problem, String reason, String message) {}

  private NamespaceConditions() {}

  /** Sets the conditions from {@code content}; lastTransitionTime changes with the status. */
  static ApiObject tell(ApiObject namespace, NamespaceContent content, String now) {
    MapNode status = namespace.root().map("status");
    List<Condition> told = conditions(content);
    List<Node> conditions = new ArrayList<>();
    for (Node item : status.items("conditions")) {
      if (!(item instanceof MapNode known)
          || told.stream().noneMatch(each -> each.type().equals(known.text("type")))) {
        conditions.add(item);
      }
    }
    for (Condition condition : told) {
      conditions.add(node(condition, status, now));
    }
    return namespace.with("status", status.with("conditions", new Node.Items(conditions)));
  }

  private static List<Condition> conditions(NamespaceContent content) {
    List<String> failures = content.failures();
    List<String> remaining = content.remaining();
    List<String> finalizers = content.remainingFinalizers();
    return List.of(
        new Condition(
            "NamespaceDeletionDiscoveryFailure",
            /* problem= */ false,
            "ResourcesDiscovered",
            "All resources successfully discovered"),
        new Condition(
            "NamespaceDeletionGroupVersionParsingFailure",
            /* problem= */ false,
            "ParsedGroupVersions",
            "All legacy kube types successfully parsed"),
        failures.isEmpty()
            ? new Condition(
                "NamespaceDeletionContentFailure",
                /* problem= */ false,
                "ContentDeleted",
                "All content successfully deleted, may be waiting on finalization")
            : new Condition(
                "NamespaceDeletionContentFailure",
                /* problem= */ true,
                "ContentDeletionFailed",
                "Failed to delete all resource types, "
                    + failures.size()
                    + " remaining: "
                    + String.join(", ", failures)),
        remaining.isEmpty()
            ? new Condition(
                "NamespaceContentRemaining",
                /* problem= */ false,
                "ContentRemoved",
                "All content successfully removed")
            : new Condition(
                "NamespaceContentRemaining",
                /* problem= */ true,
                "SomeResourcesRemain",
                "Some resources are remaining: " + String.join(", ", remaining)),
        finalizers.isEmpty()
            ? new Condition(
                "NamespaceFinalizersRemaining",
                /* problem= */ false,
                "ContentHasNoFinalizers",
                "All content-preserving finalizers finished")
            : new Condition(
                "NamespaceFinalizersRemaining",
                /* problem= */ true,
                "SomeFinalizersRemain",
                "Some content in the namespace has finalizers remaining: "
                    + String.join(", ", finalizers)));
  }

  private static MapNode node(Condition condition, MapNode status, String now) {
    String holds = condition.problem() ? "True" : "False";
    String since =
        known(condition.type(), status)
            .filter(known -> known.text("status").equals(holds))
            .map(known -> known.text("lastTransitionTime"))
            .filter(time -> !time.isEmpty())
            .orElse(now);
    return MapNode.builder(5)
        .put("type", Node.text(condition.type()))
        .put("status", Node.text(holds))
        .put("lastTransitionTime", Node.text(since))
        .put("reason", Node.text(condition.reason()))
        .put("message", Node.text(condition.message()))
        .build();
  }

  private static Optional<MapNode> known(String type, MapNode status) {
    return status.items("conditions").stream()
        .filter(MapNode.class::isInstance)
        .map(MapNode.class::cast)
        .filter(condition -> condition.text("type").equals(type))
        .findFirst();
  }
}
