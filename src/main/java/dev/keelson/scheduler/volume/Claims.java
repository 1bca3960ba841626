package dev.keelson.scheduler.volume;

import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.fit.NodeSelection;
import dev.keelson.controller.volume.ClaimState;
import dev.keelson.controller.volume.StorageClassFacts;
import dev.keelson.controller.volume.VolumeFacts;
import dev.keelson.scheduler.volume.VolumeNeeds.Rules;
import dev.keelson.scheduler.volume.VolumeNeeds.VolumeNodes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the claims of a pod say about nodes (source: kube-scheduler's plug-ins VolumeBinding,
 * VolumeRestrictions and VolumeZone).
 */
final class Claims {

  private static final String AFFINITY = "node(s) didn't match PersistentVolume's node affinity";
  private static final String ONCE = "ReadWriteOncePod";

  private final VolumeRecords records;
  private final VolumeUser pod;
  private final List<VolumeNodes> nodes = new ArrayList<>();
  private final UnboundClaims unbound;
  private final List<ZoneRule> zones = new ArrayList<>();
  private final Set<String> exclusive = new HashSet<>();

  private Claims(VolumeRecords records, VolumeUser pod) {
    this.records = records;
    this.pod = pod;
    this.unbound = new UnboundClaims(records);
  }

  static VolumeNeeds of(VolumeUser pod, VolumeRecords records) {
    Claims claims = new Claims(records, pod);
    String refusal = claims.read();
    VolumeLimits limits = new VolumeLimits(records);
    return refusal.isEmpty()
        ? new VolumeNeeds(
            new Rules(claims.nodes, claims.unbound, claims.zones, claims.exclusive),
            limits.attachable(pod),
            limits)
        : VolumeNeeds.refused(refusal);
  }

  /** Reads all claims; returns why the pod cannot be placed, empty if it can. */
  private String read() {
    for (String name : pod.volumes().claims()) {
      ClaimState claim = claim(name);
      String refusal =
          claim == null ? "persistentvolumeclaim \"" + name + "\" not found" : addNamed(claim);
      if (!refusal.isEmpty()) {
        return refusal;
      }
    }
    for (String name : pod.volumes().ephemeral()) {
      ClaimState claim = claim(name);
      if (claim == null) {
        return "waiting for ephemeral volume controller to create the persistentvolumeclaim \""
            + name
            + "\"";
      }
      String refusal =
          claim.podUid().equals(pod.uid())
              ? add(claim)
              : "PVC %s was not created for pod %s (pod is not owner)"
                  .formatted(claim.name(), pod.name());
      if (!refusal.isEmpty()) {
        return refusal;
      }
    }
    return "";
  }

  private @Nullable ClaimState claim(String name) {
    return records.claim(new ObjectName(pod.name().namespace(), name)).orElse(null);
  }

  private String addNamed(ClaimState claim) {
    if (claim.traits().accessModes().contains(ONCE)) {
      exclusive.add(claim.name().name());
    }
    if (!claim.volume().isEmpty()) {
      records
          .volume(claim.volume())
          .ifPresent(volume -> zones.addAll(ZoneRule.of(volume.labels())));
    }
    return add(claim);
  }

  /** Adds what a claim needs; returns why the pod cannot be placed, empty if it can. */
  private String add(ClaimState claim) {
    if (claim.deleting()) {
      return "persistentvolumeclaim \"" + claim.name().name() + "\" is being deleted";
    }
    if (!claim.volume().isEmpty() && claim.phase().equals("Bound")) {
      Optional<VolumeFacts> volume = records.volume(claim.volume());
      if (volume.isEmpty()) {
        return "persistentvolume \"" + claim.volume() + "\" not found";
      }
      NodeSelection selection = volume.get().nodes();
      if (selection != null) {
        nodes.add(new VolumeNodes(selection, AFFINITY));
      }
      return "";
    }
    Optional<StorageClassFacts> storageClass = records.storageClass(claim.traits().storageClass());
    if (!claim.volume().isEmpty() || !storageClass.map(StorageClassFacts::waits).orElse(false)) {
      return "pod has unbound immediate PersistentVolumeClaims";
    }
    unbound.add(claim, storageClass.get());
    return "";
  }
}
