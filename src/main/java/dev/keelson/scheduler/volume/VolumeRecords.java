package dev.keelson.scheduler.volume;

import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.volume.ClaimState;
import dev.keelson.controller.volume.StorageClassFacts;
import dev.keelson.controller.volume.VolumeFacts;
import java.util.List;
import java.util.Optional;

/** The objects of the API that say where volumes can be used. */
interface VolumeRecords {

  /** A PersistentVolumeClaim. */
  Optional<ClaimState> claim(ObjectName name);

  /** A PersistentVolume. */
  Optional<VolumeFacts> volume(String name);

  /** All PersistentVolumes. */
  List<VolumeFacts> volumes();

  /** A StorageClass. */
  Optional<StorageClassFacts> storageClass(String name);

  /** How many volumes the drivers of a node can attach, by driver. */
  Optional<CsiNode> node(String name);

  /** Whether a CSI driver tells how much storage it has. */
  boolean tellsCapacity(String driver);

  /** How much storage drivers have. */
  List<StorageCapacity> capacities();

  /** The attachments to a node. */
  List<Attachment> attachments(String node);
}
