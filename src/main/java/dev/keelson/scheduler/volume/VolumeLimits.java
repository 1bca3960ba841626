package dev.keelson.scheduler.volume;

import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.volume.ClaimState;
import dev.keelson.controller.volume.CsiVolume;
import dev.keelson.controller.volume.VolumeFacts;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How many volumes a node can attach (source: kube-scheduler's plug-in NodeVolumeLimits). A volume
 * that several pods use counts once; a claim without a volume counts for the provisioner of its
 * class.
 */
final class VolumeLimits {

  private final VolumeRecords records;

  VolumeLimits(VolumeRecords records) {
    this.records = records;
  }

  /** The drivers of the volumes of a pod, by a name of the volume that is unique in the cluster. */
  Map<String, String> attachable(VolumeUser pod) {
    PodVolumes volumes = pod.volumes();
    if (volumes.isEmpty()) {
      return Map.of();
    }
    Map<String, String> found = new HashMap<>();
    String namespace = pod.name().namespace();
    for (String name : volumes.claims()) {
      records.claim(new ObjectName(namespace, name)).ifPresent(claim -> add(claim, found));
    }
    for (String name : volumes.ephemeral()) {
      records
          .claim(new ObjectName(namespace, name))
          .filter(claim -> claim.podUid().equals(pod.uid()))
          .ifPresent(claim -> add(claim, found));
    }
    volumes.inline().forEach(volume -> add(volume.driver(), volume.handle(), found));
    return found;
  }

  private void add(ClaimState claim, Map<String, String> found) {
    Optional<VolumeFacts> volume =
        claim.volume().isEmpty() ? Optional.empty() : records.volume(claim.volume());
    if (volume.isPresent()) {
      CsiVolume csi = volume.get().csi();
      if (csi != null) {
        add(csi.driver(), csi.handle(), found);
      }
      return;
    }
    // no handle of a driver begins so
    String handle = "\0claim/" + claim.name();
    records
        .storageClass(claim.traits().storageClass())
        .ifPresent(type -> add(CsiVolume.driverOf(type.provisioner()), handle, found));
  }

  private static void add(String driver, String handle, Map<String, String> found) {
    if (!driver.isEmpty() && !handle.isEmpty()) {
      found.put(driver + "/" + handle, driver);
    }
  }

  /**
   * Whether a node cannot attach more volumes.
   *
   * @param wanted those of the pod to be placed
   * @param others the pods on the node
   */
  boolean exceeded(
      String node, Map<String, String> wanted, Collection<? extends VolumeUser> others) {
    if (wanted.isEmpty()) {
      return false;
    }
    Map<String, Long> limits = records.node(node).map(CsiNode::limits).orElse(Map.of());
    if (wanted.values().stream().noneMatch(limits::containsKey)) {
      return false;
    }
    Map<String, String> attached = new HashMap<>();
    others.forEach(other -> attached.putAll(attachable(other)));
    Map<String, Long> counts = new HashMap<>();
    wanted.forEach(
        (volume, driver) -> {
          if (!attached.containsKey(volume)) {
            long unused = counts.merge(driver, 1L, Long::sum);
          }
        });
    Map<String, Long> used = new HashMap<>();
    addAttachments(node, attached);
    attached.values().forEach(driver -> used.merge(driver, 1L, Long::sum));
    return counts.entrySet().stream()
        .anyMatch(
            each ->
                used.getOrDefault(each.getKey(), 0L) + each.getValue()
                    > limits.getOrDefault(each.getKey(), Long.MAX_VALUE));
  }

  /** Volumes that are still attached for pods that have ended, or already for others. */
  private void addAttachments(String node, Map<String, String> attached) {
    for (Attachment attachment : records.attachments(node)) {
      records
          .volume(attachment.volume())
          .map(VolumeFacts::csi)
          .filter(csi -> !csi.translated())
          .ifPresent(csi -> add(attachment.attacher(), csi.handle(), attached));
    }
  }
}
