package dev.keelson.controller.volume;

import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.object.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which volumes the pods of nodes need, as the informers know them. */
final class NeededVolumes {

  /** Whether volumes of a driver are attached at all. */
  private static final InformerType<Boolean> DRIVERS =
      new InformerType<>(
          new GroupVersion("storage.k8s.io", "v1").resource("csidrivers"),
          driver -> driver.root().map("spec").get("attachRequired") != Node.Bool.FALSE,
          List.of());

  final Informer<VolumePod> pods;
  final Informer<ClaimState> claims;
  final Informer<VolumeFacts> volumes;
  final Informer<Boolean> drivers;

  /**
   * A volume that pods of a node need.
   *
   * @param facts of the PersistentVolume
   */
  record Needed(VolumeFacts facts, CsiVolume volume, List<VolumePod> pods) {

    /** Whether several nodes may have it at once. */
    boolean isForMany() {
      Set<String> modes = facts.accessModes();
      return modes.isEmpty() || modes.contains("ReadWriteMany") || modes.contains("ReadOnlyMany");
    }
  }

  NeededVolumes(SharedInformers informers) {
    pods = informers.of(VolumePod.TYPE);
    claims = informers.of(ClaimState.TYPE);
    volumes = informers.of(VolumeFacts.TYPE);
    drivers = informers.of(DRIVERS);
  }

  void awaitSync() throws InterruptedException {
    pods.awaitSync();
    claims.awaitSync();
    volumes.awaitSync();
    drivers.awaitSync();
  }

  /** The volumes of the pods of a node, by the names of their attachments. */
  Map<String, Needed> of(AttachableNode node) {
    Map<String, Needed> needed = new LinkedHashMap<>();
    for (VolumePod pod : pods.by(VolumePod.BY_NODE, node.name())) {
      if (pod.ended() && !node.keepsEnded()) {
        continue;
      }
      for (String claim : pod.claims()) {
        VolumeFacts facts = volume(pod, claim);
        CsiVolume csi = facts == null ? null : facts.csi();
        if (facts != null && csi != null && isAttachable(csi)) {
          needed
              .computeIfAbsent(
                  AttachmentFacts.name(csi, node.name()),
                  _ -> new Needed(facts, csi, new ArrayList<>()))
              .pods()
              .add(pod);
        }
      }
    }
    return needed;
  }

  /** The volume that a claim of a pod is bound to; null if it is not bound. */
  private @Nullable VolumeFacts volume(VolumePod pod, String name) {
    ClaimState claim = claims.get(new ObjectName(pod.name().namespace(), name)).orElse(null);
    if (claim == null || claim.volume().isEmpty() || !claim.phase().equals("Bound")) {
      return null;
    }
    return volumes
        .get(new ObjectName("", claim.volume()))
        .filter(each -> each.isFor(claim))
        .orElse(null);
  }

  private boolean isAttachable(CsiVolume volume) {
    return drivers.get(new ObjectName("", volume.driver())).orElse(true);
  }

  /** The name of the volume of an attachment in the status of nodes; empty if it is not known. */
  String uniqueName(AttachmentFacts attachment) {
    CsiVolume csi =
        volumes.get(new ObjectName("", attachment.volume())).map(VolumeFacts::csi).orElse(null);
    return csi == null ? "" : "kubernetes.io/csi/" + csi.driver() + "^" + csi.handle();
  }

  /** The nodes of the pods that use a claim, {@code namespace/name}. */
  Set<String> nodesOf(String claim) {
    return pods.by(VolumePod.BY_CLAIM, claim).stream()
        .map(VolumePod::node)
        .filter(node -> !node.isEmpty())
        .collect(Collectors.toSet());
  }

  /** The nodes of the pods that use a volume. */
  Set<String> nodesOfVolume(String volume) {
    return volumes
        .get(new ObjectName("", volume))
        .map(VolumeFacts::claim)
        .map(claim -> nodesOf(claim.key()))
        .orElse(Set.of());
  }

  /** The names of the pods on some nodes that use a volume. */
  List<String> users(VolumeFacts volume, Set<String> nodes) {
    VolumeFacts.ClaimReference claim = volume.claim();
    return claim == null
        ? List.of()
        : pods.by(VolumePod.BY_CLAIM, claim.key()).stream()
            .filter(pod -> nodes.contains(pod.node()) && !pod.ended())
            .map(pod -> pod.name().name())
            .sorted()
            .toList();
  }
}
