package dev.keelson.scheduler.volume;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A disk that a pod names itself (source: kube-scheduler's plug-in VolumeRestrictions).
 *
 * @param kind of storage
 * @param id the name of the disk; of Ceph with the pool
 * @param monitors of Ceph; disks that share none are not the same
 * @param shareable whether pods that do not write can share it
 */
record Disk(Kind kind, String id, Set<String> monitors, boolean shareable) {

  /** The storages that know such conflicts. */
  enum Kind {
    GCE,
    EBS,
    ISCSI,
    RBD
  }

  Disk {
    monitors = Set.copyOf(monitors);
  }

  /** The disk of a volume of a pod; empty if it is of another kind. */
  static Optional<Disk> of(MapNode volume) {
    if (volume.has("gcePersistentDisk")) {
      return Optional.of(disk(Kind.GCE, volume.map("gcePersistentDisk"), "pdName"));
    }
    if (volume.has("awsElasticBlockStore")) {
      String id = volume.map("awsElasticBlockStore").text("volumeID");
      return Optional.of(new Disk(Kind.EBS, id, Set.of(), false));
    }
    if (volume.has("iscsi")) {
      return Optional.of(disk(Kind.ISCSI, volume.map("iscsi"), "iqn"));
    }
    if (volume.has("rbd")) {
      MapNode rbd = volume.map("rbd");
      Set<String> monitors = new HashSet<>();
      for (Node monitor : rbd.items("monitors")) {
        if (monitor instanceof Node.Text text) {
          monitors.add(text.value());
        }
      }
      String image = rbd.text("pool") + "/" + rbd.text("image");
      return Optional.of(new Disk(Kind.RBD, image, monitors, readOnly(rbd)));
    }
    return Optional.empty();
  }

  private static Disk disk(Kind kind, MapNode source, String id) {
    return new Disk(kind, source.text(id), Set.of(), readOnly(source));
  }

  private static boolean readOnly(MapNode source) {
    return source.get("readOnly") instanceof Node.Bool is && is.value();
  }

  /** Whether two pods cannot use them on the same node. */
  boolean conflicts(Disk other) {
    return kind == other.kind
        && id.equals(other.id)
        && !(shareable && other.shareable)
        && (kind != Kind.RBD || !Collections.disjoint(monitors, other.monitors));
  }
}
