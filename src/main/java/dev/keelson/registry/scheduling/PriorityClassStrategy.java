package dev.keelson.registry.scheduling;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupResource;
import dev.keelson.object.ApiObject;
import dev.keelson.registry.KindStrategy;
import java.util.Set;

/**
 * A priority class keeps the generation of its creation: what matters of it cannot change. Those of
 * the system cannot be deleted.
 */
public final class PriorityClassStrategy implements KindStrategy {

  private static final Set<String> SYSTEM =
      Set.of("system-cluster-critical", "system-node-critical");

  @Override
  public boolean raisesGeneration() {
    return false;
  }

  @Override
  public void checkDelete(ApiObject object) {
    if (SYSTEM.contains(object.meta().name())) {
      throw ApiException.forbidden(
          new GroupResource("scheduling.k8s.io", "priorityclasses"),
          object.meta().name(),
          "this is a system priority class and cannot be deleted");
    }
  }
}
