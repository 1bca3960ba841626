package dev.keelson.schema.defaulting;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/** What depends on other fields in the kinds that make pods. */
final class WorkloadRules {

  private static final long FOREVER = Integer.MAX_VALUE;

  private WorkloadRules() {}

  /** A rolling update has its parameters, which the schema fills. */
  static MapNode rollingUpdate(MapNode strategy, String otherwise) {
    return Values.text(strategy, "type", otherwise).equals("RollingUpdate")
        ? Values.ifUnset(strategy, "rollingUpdate", MapNode.EMPTY)
        : strategy;
  }

  /**
   * The strategy of a StatefulSet that says nothing is a rolling update with its parameters; one
   * that is called so may do without them.
   */
  static MapNode unnamedStrategy(MapNode strategy) {
    return Values.hasText(strategy, "type")
        ? strategy
        : Values.ifUnset(strategy, "rollingUpdate", MapNode.EMPTY);
  }

  static MapNode volumeClaims(MapNode spec) {
    return Values.editedItems(
        spec,
        "volumeClaimTemplates",
        claim ->
            claim
                .with("apiVersion", Node.text("v1"))
                .with("kind", Node.text("PersistentVolumeClaim")));
  }

  /** Labels and selector of the old versions: those of the pods. */
  static MapNode fromTemplate(MapNode root) {
    return withLabels(withSelector(root, true));
  }

  /** The selector of a ReplicationController is a plain map. */
  static MapNode controllerFromTemplate(MapNode root) {
    return withLabels(withSelector(root, false));
  }

  private static MapNode withSelector(MapNode root, boolean labelSelector) {
    MapNode labels = podLabels(root);
    MapNode spec = root.map("spec");
    boolean unset =
        labelSelector ? !Values.isSet(spec, "selector") : spec.map("selector").isEmpty();
    if (labels.isEmpty() || !unset) {
      return root;
    }
    Node selector = labelSelector ? MapNode.of("matchLabels", labels) : labels;
    return root.with("spec", spec.with("selector", selector));
  }

  private static MapNode withLabels(MapNode root) {
    MapNode labels = podLabels(root);
    return labels.isEmpty() || !root.map("metadata").map("labels").isEmpty()
        ? root
        : root.withAt(List.of("metadata", "labels"), labels);
  }

  private static MapNode podLabels(MapNode root) {
    return root.at("spec", "template", "metadata", "labels") instanceof MapNode labels
        ? labels
        : MapNode.EMPTY;
  }

  /** Only Jobs themselves: the template in a CronJob stays as it is. */
  static MapNode job(MapNode job) {
    return withLabels(job).with("spec", jobSpec(job.map("spec")));
  }

  private static MapNode jobSpec(MapNode given) {
    MapNode spec = given;
    if (!Values.isSet(spec, "completions") && !Values.isSet(spec, "parallelism")) {
      spec = Values.ifUnset(spec, "completions", 1);
    }
    spec = Values.ifUnset(spec, "parallelism", 1);
    spec =
        Values.ifUnset(
            spec, "backoffLimit", Values.isSet(spec, "backoffLimitPerIndex") ? FOREVER : 6);
    spec = Values.ifUnset(spec, "completionMode", Node.text("NonIndexed"));
    spec = Values.ifUnset(spec, "suspend", Node.Bool.FALSE);
    spec = Values.ifUnset(spec, "manualSelector", Node.Bool.FALSE);
    return Values.ifUnset(
        spec,
        "podReplacementPolicy",
        Node.text(Values.isSet(spec, "podFailurePolicy") ? "Failed" : "TerminatingOrFailed"));
  }
}
