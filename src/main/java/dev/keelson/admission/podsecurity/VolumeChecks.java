package dev.keelson.admission.podsecurity;

import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The check of volume types. */
final class VolumeChecks {

  private static final List<String> ALLOWED =
      List.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "image",
          "persistentVolumeClaim",
          "projected",
          "secret");
  private static final List<String> RESTRICTED =
      List.of(
          "hostPath",
          "gcePersistentDisk",
          "awsElasticBlockStore",
          "gitRepo",
          "nfs",
          "iscsi",
          "glusterfs",
          "rbd",
          "flexVolume",
          "cinder",
          "cephfs",
          "flocker",
          "fc",
          "azureFile",
          "vsphereVolume",
          "quobyte",
          "azureDisk",
          "photonPersistentDisk",
          "portworxVolume",
          "scaleIO",
          "storageos");

  private VolumeChecks() {}

  static Optional<Violation> types(PodTemplate pod) {
    List<String> names = new ArrayList<>();
    SortedSet<String> types = new TreeSet<>();
    for (MapNode volume : pod.spec().maps("volumes")) {
      if (ALLOWED.stream().noneMatch(volume::has)) {
        names.add(volume.text("name"));
        types.add(RESTRICTED.stream().filter(volume::has).findFirst().orElse("unknown"));
      }
    }
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Violation(
                "restricted volume types",
                "%s %s %s %s %s"
                    .formatted(
                        Phrases.plural(names.size(), "volume", "volumes"),
                        Phrases.quoted(names),
                        Phrases.plural(names.size(), "uses", "use"),
                        Phrases.plural(
                            types.size(), "restricted volume type", "restricted volume types"),
                        Phrases.quoted(types))));
  }
}
