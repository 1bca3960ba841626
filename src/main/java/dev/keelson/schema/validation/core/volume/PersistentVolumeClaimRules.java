package dev.keelson.schema.validation.core.volume;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.VolumeWarnings;
import java.util.function.Consumer;

/** Persistent volume claims, and the claim templates of ephemeral volumes. */
final class PersistentVolumeClaimRules implements KindRules {
  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    validatePersistentVolumeClaimSpec(object.get("spec"));
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    ClaimUpdateRules.validatePersistentVolumeClaimUpdate(object, old);
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    ClaimUpdateRules.validatePersistentVolumeClaimStatus(object);
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    VolumeWarnings.warnAboutClassAnnotation(object, warnings);
    VolumeWarnings.warnAboutClaim(object.get("spec"), warnings);
  }

  /** The spec of a claim, also of one in a template. */
  static void validatePersistentVolumeClaimSpec(Value spec) {
    Value modes = spec.get("accessModes");
    modes.needed("at least 1 access mode is required");
    Labels.validateLabelSelector(spec.get("selector"));
    validateAccessModes(modes);
    Value size = spec.get("resources", "requests").key("storage");
    Value shownAt = spec.get("resources").key("storage");
    if (size.absent()) {
      shownAt.required();
    } else {
      QuantityRules.positive(shownAt.holding(size.node()));
    }
    spec.get("storageClassName").dnsSubdomain();
    validateVolumeMode(spec);
    validateDataSource(spec.get("dataSource"));
    validateDataSource(spec.get("dataSourceRef"));
    spec.get("dataSourceRef", "namespace").dnsLabel();
    validateDataSources(spec);
    spec.get("volumeAttributesClassName").dnsSubdomain();
  }

  static void validateVolumeMode(Value spec) {
    Value mode = spec.declared("volumeMode").get("volumeMode");
    if (mode.present() && !mode.filled()) {
      mode.unsupported("Block", "Filesystem");
    }
  }

  private static void validateDataSources(Value spec) {
    Value source = spec.get("dataSource");
    Value reference = spec.get("dataSourceRef");
    if (source.absent() || reference.absent()) {
      return;
    }
    if (reference.get("namespace").filled()) {
      spec.invalidPath("may not be specified when dataSourceRef.namespace is specified");
    } else if (!source.map().equals(reference.map().without("namespace"))) {
      spec.invalidPath("must match dataSourceRef");
    }
  }

  static void validateAccessModes(Value modes) {
    boolean others = false;
    for (Value mode : modes) {
      switch (mode.text()) {
        case "ReadWriteOncePod" -> {}
        case "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany" -> others = true;
        default ->
            modes.unsupportedText(
                mode.text(), "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod");
      }
    }
    if (others && modes.contains("ReadWriteOncePod")) {
      modes.forbidden("may not use ReadWriteOncePod with other access modes");
    }
  }

  private static void validateDataSource(Value source) {
    if (source.present()) {
      source.declared("name", "kind");
    }
    if (source.present()
        && !source.get("apiGroup").filled()
        && !source.get("kind").is("PersistentVolumeClaim")) {
      source.invalid(
          source.get("kind").text(),
          "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
    source.get("apiGroup").dnsSubdomain();
  }
}
