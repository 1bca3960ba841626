package dev.keelson.simulation;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.SharedInstances;
import java.util.List;

/**
 * What simulated nodes keep of a pod; few instances for all pods.
 *
 * @param node empty if it is not bound
 * @param ended whether its containers have ended for good
 * @param ready whether the condition Ready is true
 * @param observed whether the status is that of the current generation
 */
public record NodePod(
    String node, boolean deleting, boolean ended, boolean ready, boolean observed) {

  /** What simulated nodes keep of all pods. */
  public static final InformerType<NodePod> TYPE =
      new InformerType<>(GroupVersion.CORE_V1.resource("pods"), NodePod::of, List.of());

  private static final SharedInstances<NodePod> SHARED = new SharedInstances<>();

  private static NodePod of(ApiObject pod) {
    MapNode status = pod.root().map("status");
    boolean ready =
        status.maps("conditions").stream()
            .anyMatch(
                condition ->
                    condition.text("type").equals("Ready")
                        && condition.text("status").equals("True"));
    return SHARED.of(
        new NodePod(
            pod.root().map("spec").text("nodeName"),
            pod.meta().deleting(),
            PodSimulation.ended(status),
            ready,
            Conditions.isObserved(pod)));
  }

  /**
   * Whether a change needs nothing of the node: it alone makes a pod ready, so that it has seen a
   * pod which is, unless the specification has changed since.
   */
  static boolean isHandled(NodePod before, NodePod after) {
    return before.node.equals(after.node)
        && before.deleting == after.deleting
        && after.ready
        && after.observed;
  }
}
