package dev.keelson.registry.apps;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.registry.KindStrategy;
import java.util.Objects;

/**
 * Counts a change of annotations as a change of the generation: the deployment controller copies
 * them to ReplicaSets.
 */
public final class DeploymentStrategy implements KindStrategy {

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    boolean sameStatus = Objects.equals(object.root().get("status"), current.root().get("status"));
    Node annotations = object.meta().node().map("annotations");
    boolean annotated = !annotations.equals(current.meta().node().map("annotations"));
    return sameStatus && annotated
        ? object.withMeta(object.meta().withGeneration(current.meta().generation() + 1))
        : object;
  }
}
