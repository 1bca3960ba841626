package dev.keelson.schema.validation.core.volume;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of the core group that are storage. */
public final class VolumeKinds {
  private VolumeKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(new GroupKind("", "PersistentVolumeClaim"), new PersistentVolumeClaimRules()),
        Map.entry(new GroupKind("", "PersistentVolume"), new PersistentVolumeRules()));
  }
}
