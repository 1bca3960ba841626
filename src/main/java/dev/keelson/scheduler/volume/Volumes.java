package dev.keelson.scheduler.volume;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.controller.manager.SharedInformers;
import dev.keelson.controller.volume.ClaimState;

/** The volumes of the cluster. */
public final class Volumes {

  /** The resource of PersistentVolumeClaims. */
  public static final GroupVersionResource CLAIMS = ClaimState.RESOURCE;

  private final InformedRecords records;

  /** Follows claims, volumes, their classes and attachments, and the limits of nodes. */
  public Volumes(SharedInformers informers) {
    records = new InformedRecords(informers);
  }

  /** Calls back after each change. */
  public void listen(Runnable changed) {
    records.listen(changed);
  }

  /** Waits until all of them are known. */
  public void awaitSync() throws InterruptedException {
    records.awaitSync();
  }

  /** What the volumes of a pod demand of its node. */
  public VolumeNeeds needs(VolumeUser pod) {
    return pod.volumes().isEmpty() ? VolumeNeeds.NONE : Claims.of(pod, records);
  }
}
