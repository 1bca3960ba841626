package dev.keelson.controller.volume;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.value.Quantity;
import java.util.Set;
import java.util.TreeSet;

/**
 * What a volume has and a claim asks for.
 *
 * @param size zero if it does not say
 * @param storageClass empty for none
 * @param attributesClass the VolumeAttributesClass; empty for none
 */
public record VolumeTraits(
    Quantity size,
    Set<String> accessModes,
    String mode,
    String storageClass,
    String attributesClass) {

  static final String CLASS = "volume.beta.kubernetes.io/storage-class";

  public VolumeTraits {
    accessModes = Set.copyOf(accessModes);
  }

  /**
   * Those of a spec.
   *
   * @param amounts where the size is
   */
  static VolumeTraits of(ObjectMeta meta, MapNode spec, MapNode amounts) {
    String old = meta.annotations().get(CLASS);
    Set<String> modes = new TreeSet<>();
    for (Node mode : spec.items("accessModes")) {
      if (mode instanceof Node.Text text) {
        modes.add(text.value());
      }
    }
    String mode = spec.text("volumeMode");
    return new VolumeTraits(
        Quantity.tryParse(amounts.text("storage")).orElse(Quantity.of(0)),
        modes,
        mode.isEmpty() ? "Filesystem" : mode,
        old == null ? spec.text("storageClassName") : old,
        spec.text("volumeAttributesClassName"));
  }
}
