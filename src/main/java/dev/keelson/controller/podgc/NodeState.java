package dev.keelson.controller.podgc;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * What decides whether pods of a node are deleted.
 *
 * @param outOfService whether it is not ready and has the taint {@code
 *     node.kubernetes.io/out-of-service}: its pods do not run any more
 */
public record NodeState(String name, boolean outOfService) {

  /** Informers of nodes. */
  public static final InformerType<NodeState> TYPE =
      new InformerType<>(GroupVersion.CORE_V1.resource("nodes"), NodeState::of, List.of());

  private static final String TAINT = "node.kubernetes.io/out-of-service";

  private static NodeState of(ApiObject node) {
    boolean ready = false;
    for (MapNode condition : node.root().map("status").maps("conditions")) {
      ready |= condition.text("type").equals("Ready") && condition.text("status").equals("True");
    }
    boolean tainted =
        node.root().map("spec").maps("taints").stream()
            .anyMatch(taint -> taint.text("key").equals(TAINT));
    return new NodeState(node.meta().name(), tainted && !ready);
  }
}
