package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Tables of the kinds of storage. */
final class StorageTables {

  private static final int MOST_SERVERS = 3;
  private static final String UNSET = "<unset>";
  private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
  private static final String OLD_DEFAULT_CLASS =
      "storageclass.beta.kubernetes.io/is-default-class";
  private static final String DEFAULT_ATTRIBUTES =
      "volumeattributesclass.alpha.kubernetes.io/is-default-class";
  private static final String OLD_CLASS = "volume.beta.kubernetes.io/storage-class";

  /** Access modes in the order in which they are shown. */
  private static final Map<String, String> SHORT_MODES = new LinkedHashMap<>();

  static {
    SHORT_MODES.put("ReadWriteOnce", "RWO");
    SHORT_MODES.put("ReadOnlyMany", "ROX");
    SHORT_MODES.put("ReadWriteMany", "RWX");
    SHORT_MODES.put("ReadWriteOncePod", "RWOP");
  }

  private StorageTables() {}

  static void addTo(TableRows tables) {
    tables.put("", "PersistentVolume", volume());
    tables.put("", "PersistentVolumeClaim", claim());
    tables.put("storage.k8s.io", "StorageClass", storageClass());
    tables.put(
        "storage.k8s.io",
        "VolumeAttributesClass",
        Columns.named()
            .text("DriverName", "Driver that the class is for.")
            .age()
            .reading("metadata.annotations", "driverName")
            .of(
                (object, row) ->
                    row.text(Text.marked(object, DEFAULT_ATTRIBUTES))
                        .text(object.text("driverName"))
                        .age(object)));
    tables.put("storage.k8s.io", "VolumeAttachment", attachment());
    tables.put(
        "storage.k8s.io",
        "CSINode",
        Columns.named()
            .number("Drivers", "Drivers on the node.")
            .age()
            .reading("spec.drivers.#")
            .of(
                (object, row) ->
                    row.name(object)
                        .number(object.map("spec").items("drivers").size())
                        .age(object)));
    tables.put("storage.k8s.io", "CSIDriver", driver());
    tables.put("internal.apiserver.k8s.io", "StorageVersion", storageVersion());
    tables.put(
        "storage.k8s.io",
        "CSIStorageCapacity",
        Columns.named()
            .text("StorageClassName", "Class that the capacity is for.")
            .text("Capacity", "Room that is left.")
            .reading("storageClassName", "capacity")
            .of(
                (object, row) ->
                    row.name(object)
                        .text(object.text("storageClassName"))
                        .text(Text.value(object.get("capacity"), UNSET))));
  }

  private static TableDefinition storageVersion() {
    return Columns.named()
        .text("CommonEncodingVersion", "Version in which all API servers write objects.")
        .text("StorageVersions", "Version in which each API server writes objects.")
        .age()
        .reading("status.commonEncodingVersion", "status.storageVersions")
        .of(
            (object, row) ->
                row.name(object)
                    .pointer(object.map("status"), "commonEncodingVersion", UNSET)
                    .text(servers(object.map("status").maps("storageVersions")))
                    .age(object));
  }

  private static String servers(List<MapNode> versions) {
    List<String> shown = new ArrayList<>();
    for (MapNode each : versions.subList(0, Math.min(versions.size(), MOST_SERVERS))) {
      shown.add(each.text("apiServerID") + "=" + each.text("encodingVersion"));
    }
    String list = String.join(",", shown);
    return versions.size() > MOST_SERVERS
        ? list + " + " + (versions.size() - MOST_SERVERS) + " more..."
        : list;
  }

  private static TableDefinition volume() {
    return Columns.named()
        .text("Capacity", "Size of the volume.")
        .text("Access Modes", "Ways in which it can be mounted.")
        .text("Reclaim Policy", "What becomes of it after its claim.")
        .text("Status", "Whether it is bound.")
        .text("Claim", "Claim that it is bound to.")
        .text("StorageClass", "Class that it belongs to.")
        .text("VolumeAttributesClass", "Class of its attributes.")
        .text("Reason", "Why it is in this state.")
        .age()
        .wide("VolumeMode", "Whether it has a file system or is a block device.")
        .reading(
            "metadata.annotations",
            "spec.capacity.storage",
            "spec.accessModes",
            "spec.persistentVolumeReclaimPolicy",
            "spec.claimRef",
            "spec.storageClassName",
            "spec.volumeAttributesClassName",
            "spec.volumeMode",
            "status.phase",
            "status.reason")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              MapNode claim = spec.map("claimRef");
              row.name(object)
                  .text(Text.value(spec.map("capacity").get("storage"), "0"))
                  .text(modes(spec))
                  .text(spec.text("persistentVolumeReclaimPolicy"))
                  .text(phase(object))
                  .text(
                      spec.has("claimRef")
                          ? claim.text("namespace") + "/" + claim.text("name")
                          : "")
                  .text(className(object))
                  .pointer(spec, "volumeAttributesClassName", UNSET)
                  .text(object.map("status").text("reason"))
                  .age(object)
                  .pointer(spec, "volumeMode", UNSET);
            });
  }

  private static TableDefinition claim() {
    return Columns.named()
        .text("Status", "Whether it is bound.")
        .text("Volume", "Volume that it is bound to.")
        .text("Capacity", "Size of the volume.")
        .text("Access Modes", "Ways in which the volume can be mounted.")
        .text("StorageClass", "Class that the volume comes from.")
        .text("VolumeAttributesClass", "Class of the volume's attributes.")
        .age()
        .wide("VolumeMode", "Whether the volume has a file system or is a block device.")
        .reading(
            "metadata.annotations",
            "spec.volumeName",
            "spec.storageClassName",
            "spec.volumeAttributesClassName",
            "spec.volumeMode",
            "status.phase",
            "status.capacity.storage",
            "status.accessModes")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              MapNode status = object.map("status");
              boolean bound = !spec.text("volumeName").isEmpty();
              row.name(object)
                  .text(phase(object))
                  .text(spec.text("volumeName"))
                  .text(bound ? Text.value(status.map("capacity").get("storage"), "0") : "")
                  .text(bound ? modes(status) : "")
                  .text(className(object))
                  .pointer(spec, "volumeAttributesClassName", UNSET)
                  .age(object)
                  .pointer(spec, "volumeMode", UNSET);
            });
  }

  private static String phase(MapNode object) {
    return object.map("metadata").has("deletionTimestamp")
        ? "Terminating"
        : object.map("status").text("phase");
  }

  private static String modes(MapNode node) {
    List<String> set = Text.texts(node.items("accessModes"));
    List<String> shown = new ArrayList<>();
    SHORT_MODES.forEach(
        (mode, word) -> {
          if (set.contains(mode)) {
            shown.add(word);
          }
        });
    return String.join(",", shown);
  }

  private static String className(MapNode object) {
    MapNode annotations = object.map("metadata").map("annotations");
    return annotations.has(OLD_CLASS)
        ? annotations.text(OLD_CLASS)
        : object.map("spec").text("storageClassName");
  }

  private static TableDefinition storageClass() {
    return Columns.named()
        .text("Provisioner", "What makes the volumes.")
        .text("ReclaimPolicy", "What becomes of volumes after their claims.")
        .text("VolumeBindingMode", "When volumes are made and bound.")
        .count("AllowVolumeExpansion", "Whether volumes can grow.")
        .age()
        .reading(
            "metadata.annotations",
            "provisioner",
            "reclaimPolicy",
            "volumeBindingMode",
            "allowVolumeExpansion")
        .of(
            (object, row) ->
                row.text(Text.marked(object, DEFAULT_CLASS, OLD_DEFAULT_CLASS))
                    .text(object.text("provisioner"))
                    .pointer(object, "reclaimPolicy", "Delete")
                    .pointer(object, "volumeBindingMode", "Immediate")
                    .bool(Text.flag(object, "allowVolumeExpansion"))
                    .age(object));
  }

  private static TableDefinition attachment() {
    return Columns.named()
        .names("Attacher", "Driver that attaches the volume.")
        .text("PV", "Volume that is attached.")
        .text("Node", "Node that it is attached to.")
        .bool("Attached", "Whether that has happened.")
        .age()
        .reading(
            "spec.attacher", "spec.nodeName", "spec.source.persistentVolumeName", "status.attached")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              row.name(object)
                  .text(spec.text("attacher"))
                  .text(spec.map("source").text("persistentVolumeName"))
                  .text(spec.text("nodeName"))
                  .bool(Text.flag(object.map("status"), "attached"))
                  .age(object);
            });
  }

  private static TableDefinition driver() {
    return Columns.named()
        .bool("AttachRequired", "Whether volumes have to be attached.")
        .bool("PodInfoOnMount", "Whether the driver is told about the pod.")
        .bool("StorageCapacity", "Whether the driver tells how much room there is.")
        .text("TokenRequests", "Audiences of the tokens that the driver gets.")
        .bool("RequiresRepublish", "Whether volumes are published again and again.")
        .text("Modes", "Lives of volumes that the driver supports.")
        .age()
        .reading("spec")
        .of(
            (object, row) -> {
              MapNode spec = object.map("spec");
              row.name(object)
                  .bool(spec.get("attachRequired") != Node.Bool.FALSE)
                  .bool(Text.flag(spec, "podInfoOnMount"))
                  .bool(Text.flag(spec, "storageCapacity"))
                  .text(
                      spec.has("tokenRequests")
                          ? Text.joined(spec.items("tokenRequests"), "audience", ",")
                          : UNSET)
                  .bool(Text.flag(spec, "requiresRepublish"))
                  .textOrNone(String.join(",", Text.texts(spec.items("volumeLifecycleModes"))))
                  .age(object);
            });
  }
}
