package dev.keelson.controller.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.Index;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.PodNeeds;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.SharedText;
import java.util.ArrayList;
import java.util.List;

/**
 * What the attach/detach controller keeps of a pod; nothing of one without claims.
 *
 * @param node empty if it has none
 * @param ended whether none of its containers runs or will run
 * @param claims the names of its PersistentVolumeClaims
 */
record VolumePod(ObjectName name, String uid, String node, boolean ended, List<String> claims) {

  /** Finds the pods with claims of a node. */
  static final Index<VolumePod> BY_NODE =
      new Index<>(
          pod -> pod.claims().isEmpty() || pod.node().isEmpty() ? List.of() : List.of(pod.node()));

  /** Finds the pods that use a claim, {@code namespace/name}. */
  static final Index<VolumePod> BY_CLAIM =
      new Index<>(
          pod -> pod.claims().stream().map(claim -> pod.name().namespace() + "/" + claim).toList());

  static final InformerType<VolumePod> TYPE =
      new InformerType<>(
          GroupVersion.CORE_V1.resource("pods"), VolumePod::of, List.of(BY_NODE, BY_CLAIM));

  private static final ObjectName NAMELESS = new ObjectName("", "");

  VolumePod {
    node = SharedText.of(node);
    claims = List.copyOf(claims);
  }

  static VolumePod of(ApiObject pod) {
    MapNode spec = pod.root().map("spec");
    MapNode status = pod.root().map("status");
    String phase = status.text("phase");
    List<String> claims = new ArrayList<>();
    for (MapNode volume : spec.maps("volumes")) {
      if (volume.has("persistentVolumeClaim")) {
        claims.add(volume.map("persistentVolumeClaim").text("claimName"));
      } else if (volume.has("ephemeral")) {
        claims.add(PodNeeds.volumeClaim(pod, volume));
      }
    }
    if (claims.isEmpty()) {
      // of most pods nothing matters
      return new VolumePod(NAMELESS, "", "", /* ended= */ false, List.of());
    }
    return new VolumePod(
        ObjectName.of(pod.meta()),
        pod.meta().uid(),
        spec.text("nodeName"),
        phase.equals("Succeeded")
            || phase.equals("Failed")
            || (pod.meta().deleting() && !isRunning(status)),
        claims.stream().distinct().toList());
  }

  private static boolean isRunning(MapNode status) {
    return status.maps("containerStatuses").stream()
        .map(container -> container.map("state"))
        .anyMatch(state -> !state.has("terminated") && !state.has("waiting"));
  }

  ObjectReference reference() {
    return ObjectReference.of("v1", "Pod", name.namespace(), name.name(), uid);
  }
}
