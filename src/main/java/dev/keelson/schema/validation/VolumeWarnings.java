package dev.keelson.schema.validation;

import java.util.Map;
import java.util.function.Consumer;

/**
 * Warnings about volumes and claims (source: pkg/api/pod, pkg/api/persistentvolume and
 * pkg/api/persistentvolumeclaim).
 */
public final class VolumeWarnings {

  private static final String GONE_IN_25 = "deprecated in v1.22, non-functional in v1.25+";
  private static final String GONE_IN_31 = "deprecated in v1.28, non-functional in v1.31+";

  private static final Map<String, String> SOURCES =
      Map.of(
          "photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+",
          "scaleIO", "deprecated in v1.16, non-functional in v1.22+",
          "flocker", GONE_IN_25,
          "storageos", GONE_IN_25,
          "quobyte", GONE_IN_25,
          "glusterfs", "deprecated in v1.25, non-functional in v1.26+",
          "cephfs", GONE_IN_31,
          "rbd", GONE_IN_31);

  private VolumeWarnings() {}

  /** Warns about the volumes of a pod. */
  public static void warnAboutVolumes(Value volumes, Consumer<String> warnings) {
    for (Value volume : volumes) {
      warnAboutSource(volume, warnings);
      Value repository = volume.get("gitRepo");
      if (repository.present()) {
        warnings.accept(
            repository.path() + ": deprecated in v1.11, and disabled by default in v1.33+");
      }
      warnAboutClaim(volume.get("ephemeral", "volumeClaimTemplate", "spec"), warnings);
    }
  }

  /** Warns about a source that Kubernetes has removed, in a volume or the spec of one. */
  public static void warnAboutSource(Value holder, Consumer<String> warnings) {
    for (Value source : holder) {
      String message = SOURCES.get(source.name());
      if (message != null) {
        // Kubernetes shows the name of the Go field here
        String name = source.name().equals("storageos") ? "storageOS" : source.name();
        warnings.accept(holder.get(name).path() + ": " + message);
      }
    }
  }

  /** Warns about the spec of a claim. */
  public static void warnAboutClaim(Value spec, Consumer<String> warnings) {
    warnAboutClaim(spec, spec, warnings);
  }

  /** Warns about the spec of a claim, in the words of one at {@code place}. */
  public static void warnAboutClaim(Value place, Value spec, Consumer<String> warnings) {
    for (String list : new String[] {"requests", "limits"}) {
      Value amount = spec.get("resources", list).key("storage");
      warnAboutFractions(
          place.get("resources", list).key("storage").holding(amount.node()), warnings);
    }
  }

  /** Warns about the annotation of a storage class. */
  public static void warnAboutClassAnnotation(Value object, Consumer<String> warnings) {
    Value annotation =
        object.get("metadata", "annotations").key("volume.beta.kubernetes.io/storage-class");
    if (annotation.present()) {
      warnings.accept(
          annotation.path()
              + ": deprecated since v1.8; use \"storageClassName\" attribute instead");
    }
  }

  /** Warns about an amount of bytes that is not whole; its canonical form has a small suffix. */
  public static void warnAboutFractions(Value amount, Consumer<String> warnings) {
    String text = amount.text();
    if (text.endsWith("m") || text.endsWith("u") || text.endsWith("n")) {
      warnings.accept(
          amount.path()
              + ": fractional byte value "
              + BadValue.of(amount.node())
              + " is invalid, must be an integer");
    }
  }
}
