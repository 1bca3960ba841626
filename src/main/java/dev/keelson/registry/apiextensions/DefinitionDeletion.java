package dev.keelson.registry.apiextensions;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The first delete of a CustomResourceDefinition (source: Delete of Kubernetes'
 * customresourcedefinition storage): it gets the finalizer that waits for the removal of its
 * objects, and the condition Terminating. The propagation policy of the request is ignored.
 */
final class DefinitionDeletion {

  private static final String FINALIZER = "customresourcecleanup.apiextensions.k8s.io";
  private static final String TYPE = "Terminating";

  private DefinitionDeletion() {}

  /** The definition to store; empty if it is being deleted already. */
  static Optional<ApiObject> begin(ApiObject definition, String now) {
    ObjectMeta meta = definition.meta();
    if (meta.deleting()) {
      return Optional.empty();
    }
    List<String> finalizers = new ArrayList<>(meta.finalizers());
    if (!finalizers.contains(FINALIZER)) {
      finalizers.add(FINALIZER);
    }
    MapNode status = definition.root().map("status");
    List<Node> conditions = new ArrayList<>();
    for (Node item : status.items("conditions")) {
      if (!(item instanceof MapNode known && known.text("type").equals(TYPE))) {
        conditions.add(item);
      }
    }
    conditions.add(
        MapNode.builder(5)
            .put("type", Node.text(TYPE))
            .put("status", Node.text("True"))
            .put("lastTransitionTime", Node.text(now))
            .put("reason", Node.text("InstanceDeletionPending"))
            .put(
                "message",
                Node.text(
                    "CustomResourceDefinition marked for deletion; CustomResource deletion will"
                        + " begin soon"))
            .build());
    return Optional.of(
        definition
            .withMeta(
                meta.with("deletionTimestamp", Node.text(now))
                    .with("finalizers", Node.texts(finalizers)))
            .with("status", status.with("conditions", new Node.Items(conditions))));
  }
}
