package dev.keelson.controller.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.InformerType;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the attach/detach controller keeps of a node.
 *
 * @param managed whether its kubelet leaves it to the controller to attach volumes
 * @param ready whether it is well
 * @param outOfService whether it has the taint by which somebody tells that it is shut down
 * @param keepsEnded whether its kubelet keeps the volumes of pods that have ended
 * @param inUse the volumes that its kubelet has mounted, or is about to
 * @param attached the volumes that it is told to be attached, in the order of its status
 */
record AttachableNode(
    String name,
    String uid,
    boolean managed,
    boolean ready,
    boolean outOfService,
    boolean keepsEnded,
    Set<String> inUse,
    List<String> attached) {

  static final GroupVersionResource RESOURCE = GroupVersion.CORE_V1.resource("nodes");

  static final InformerType<AttachableNode> TYPE =
      new InformerType<>(RESOURCE, AttachableNode::of, List.of());

  private static final String MANAGED = "volumes.kubernetes.io/controller-managed-attach-detach";
  private static final String KEEPS = "volumes.kubernetes.io/keep-terminated-pod-volumes";
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  AttachableNode {
    inUse = Set.copyOf(inUse);
    attached = List.copyOf(attached);
  }

  static AttachableNode of(ApiObject node) {
    MapNode status = node.root().map("status");
    return new AttachableNode(
        node.meta().name(),
        node.meta().uid(),
        node.meta().annotations().containsKey(MANAGED),
        status.maps("conditions").stream()
            .anyMatch(
                each -> each.text("type").equals("Ready") && each.text("status").equals("True")),
        node.root().map("spec").maps("taints").stream()
            .anyMatch(taint -> taint.text("key").equals(OUT_OF_SERVICE)),
        "true".equals(node.meta().annotations().get(KEEPS)),
        texts(status.items("volumesInUse")),
        status.maps("volumesAttached").stream().map(each -> each.text("name")).toList());
  }

  private static Set<String> texts(List<Node> items) {
    Set<String> texts = new HashSet<>();
    for (Node item : items) {
      if (item instanceof Node.Text text) {
        texts.add(text.value());
      }
    }
    return texts;
  }
}
