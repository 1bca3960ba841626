package dev.keelson.registry.subresource;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.ResourceDefinition;

/** The numbers of built-in workloads, which are in the same fields in every version. */
enum WorkloadReplicas implements ReplicaFields {
  BUILT_IN;

  private static final String AUTOSCALING = "autoscaling";

  @Override
  public void checkPresent(ApiObject workload) {
    // an absent number is zero
  }

  @Override
  public void checkApplicable(MapNode scale) {
    // every built-in workload has a schema of its Scale
  }

  @Override
  public long replicas(ApiObject workload) {
    return replicas(workload.root().map("spec"));
  }

  @Override
  public ApiObject withReplicas(ApiObject workload, long replicas) {
    MapNode spec = workload.root().map("spec");
    return workload.with("spec", spec.with("replicas", new Node.Int(replicas)));
  }

  @Override
  public MapNode status(ResourceDefinition scale, ApiObject workload) {
    MapNode selector = workload.root().map("spec").map("selector");
    // its selector is a map of labels, not a LabelSelector
    boolean labels =
        workload.kind().equals("ReplicationController") && workload.apiVersion().equals("v1");
    String text =
        labels ? ObjectSelector.ofLabels(selector) : ObjectSelector.text(selector).orElse("");
    MapNode status = MapNode.of("replicas", new Node.Int(replicas(workload.root().map("status"))));
    if (scale.gvk().group().equals(AUTOSCALING)) {
      return text.isEmpty() ? status : status.with("selector", Node.text(text));
    }
    MapNode plain = selector.map("matchLabels");
    if (selector.items("matchExpressions").isEmpty() && !plain.isEmpty()) {
      status = status.with("selector", plain);
    }
    return text.isEmpty() ? status : status.with("targetSelector", Node.text(text));
  }

  @Override
  public boolean owns(ApiObject workload, MapNode entry) {
    return entry.map("fieldsV1").map("f:spec").has("f:replicas");
  }

  private static long replicas(MapNode node) {
    return node.get("replicas") instanceof Node.Int number ? number.value() : 0;
  }
}
