package dev.keelson.schema.validation.storage;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of storage.k8s.io. */
public final class StorageKinds {
  private StorageKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("storage.k8s.io", "StorageClass"), new StorageClassRules()),
        Map.entry(
            new GroupKind("storage.k8s.io", "VolumeAttributesClass"),
            new VolumeAttributesClassRules()),
        Map.entry(new GroupKind("storage.k8s.io", "VolumeAttachment"), new VolumeAttachmentRules()),
        Map.entry(new GroupKind("storage.k8s.io", "CSIDriver"), new CsiDriverRules()),
        Map.entry(new GroupKind("storage.k8s.io", "CSINode"), new CsiNodeRules()),
        Map.entry(
            new GroupKind("storage.k8s.io", "CSIStorageCapacity"), new CsiStorageCapacityRules()));
  }
}
