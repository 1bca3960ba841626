package dev.keelson.schema.validation.core.volume;

import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.value.GoQuote;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The volumes of a pod: each has a name and exactly one source. */
public final class VolumeRules {
  /** The sources of a volume, in the order in which Kubernetes looks for more than one. */
  private static final String[] KINDS = {
    "emptyDir",
    "hostPath",
    "gitRepo",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "secret",
    "nfs",
    "iscsi",
    "glusterfs",
    "flocker",
    "persistentVolumeClaim",
    "rbd",
    "cinder",
    "cephfs",
    "quobyte",
    "downwardAPI",
    "fc",
    "flexVolume",
    "configMap",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "storageos",
    "projected",
    "scaleIO",
    "csi",
    "ephemeral",
    "image"
  };

  private VolumeRules() {}

  /**
   * Checks the volumes of a pod spec.
   *
   * @param podName the pod's name, empty for a pod template
   * @return those that break no rule, by name; containers can mount no others
   */
  public static Map<String, Value> validateVolumes(Value volumes, String podName) {
    if (volumes.size() == 0) {
      return Map.of();
    }
    Map<String, Value> valid = new HashMap<>();
    Set<String> created = createdClaims(volumes, podName);
    for (Value volume : volumes) {
      int before = volume.causeCount();
      validateVolumeSource(volume, podName);
      Value name = volume.declared("name").get("name").dnsLabel();
      if (valid.containsKey(name.text())) {
        name.duplicate();
      }
      if (volume.causeCount() == before) {
        valid.put(name.text(), volume);
      }
      Value claim = volume.get("persistentVolumeClaim", "claimName");
      if (claim.filled() && created.contains(claim.text())) {
        claim.invalid("must not reference a PVC that gets created for an ephemeral volume");
      }
    }
    return valid;
  }

  /** The claims that are made for the ephemeral volumes of the pod. */
  private static Set<String> createdClaims(Value volumes, String podName) {
    Set<String> claims = new HashSet<>();
    for (Value volume : volumes) {
      if (!podName.isEmpty() && volume.get("ephemeral").present()) {
        claims.add(podName + "-" + volume.get("name").text());
      }
    }
    return claims;
  }

  private static void validateVolumeSource(Value volume, String podName) {
    MapNode map = volume.map();
    if (map.size() == 2 && map.has("name")) {
      // nearly every volume has one source beside its name
      String kind = map.keyAt(map.keyAt(0).equals("name") ? 1 : 0);
      if (volume.get(kind).present()) {
        validateVolumeSource(volume, kind, true, podName);
        return;
      }
    }
    int sources = 0;
    for (String kind : KINDS) {
      if (volume.get(kind).present()) {
        validateVolumeSource(volume, kind, ++sources == 1, podName);
      }
    }
    if (sources == 0) {
      volume.required("must specify a volume type");
    }
  }

  /** An image volume that was stored without a reference may stay so. */
  private static boolean wasWithoutReference(Value image) {
    return image.before() instanceof MapNode old && !old.has("reference");
  }

  private static void validateVolumeSource(
      Value volume, String kind, boolean first, String podName) {
    Value field = volume.get(kind);
    if (first) {
      validateVolumeSource(field);
      if (kind.equals("image") && !podName.isEmpty() && !wasWithoutReference(field)) {
        field.get("reference").needed();
      }
      if (!VolumeSourceRules.isWithoutPath(field)) {
        field.declared();
      }
      if (kind.equals("ephemeral")) {
        validateEphemeralClaimName(volume.get("name"), podName);
      }
    } else {
      volume
          .get(VolumeSourceRules.FORBIDDEN_NAMES.getOrDefault(kind, kind))
          .forbidden("may not specify more than 1 volume type");
    }
    if (kind.equals("iscsi")) {
      validateInitiatorLength(field, volume.get("name"));
    }
  }

  /** An ephemeral volume gets a claim, named after the pod and the volume. */
  private static void validateEphemeralClaimName(Value name, String podName) {
    if (podName.isEmpty() || !name.filled()) {
      return;
    }
    String claim = podName + "-" + name.text();
    Formats.DNS_SUBDOMAIN
        .apply(claim)
        .lines()
        .forEach(problem -> name.invalid("PVC name " + GoQuote.quote(claim) + ": " + problem));
  }

  /** Kubernetes validates this for each source, also for a second one. */
  private static void validateInitiatorLength(Value iscsi, Value name) {
    if (iscsi.get("initiatorName").present()
        && name.text().length() + 1 + iscsi.get("targetPortal").text().length()
            > VolumeSourceRules.ISCSI_LENGTH) {
      name.invalid(VolumeSourceRules.TOO_LONG_FOR_ISCSI);
    }
  }

  private static void validateVolumeSource(Value source) {
    switch (source.name()) {
      case "emptyDir" -> {
        Value limit = source.get("sizeLimit");
        if (limit.text().startsWith("-")) {
          limit.forbidden("SizeLimit field must be a valid resource quantity");
        }
      }
      case "hostPath" -> source.get("path").needed().as(Formats.NO_PARENT);
      case "configMap" -> {
        source.get("name").needed();
        ProjectedVolumeRules.validateFiles(source);
      }
      case "secret" -> {
        source.get("secretName").needed();
        ProjectedVolumeRules.validateFiles(source);
      }
      case "downwardAPI" -> ProjectedVolumeRules.validateDownwardApi(source);
      case "projected" -> ProjectedVolumeRules.validateProjectedVolumeSource(source);
      case "nfs" -> VolumeSourceRules.validateNfsVolumeSource(source);
      case "ephemeral" -> {
        Value template = source.get("volumeClaimTemplate").existing("");
        if (template.present()) {
          validateTemplateObjectMeta(template.get("metadata"));
          PersistentVolumeClaimRules.validatePersistentVolumeClaimSpec(template.get("spec"));
        }
      }
      case "csi" -> {
        VolumeSourceRules.validateCsiDriverName(source.get("driver"));
        Value secret = source.get("nodePublishSecretRef", "name");
        if (source.get("nodePublishSecretRef").present()) {
          secret.needed();
          String problem = Formats.DNS_SUBDOMAIN.apply(secret.text());
          if (secret.filled() && !problem.isEmpty()) {
            source.get("name").invalid(secret.text(), problem);
          }
        }
      }
      case "gcePersistentDisk" -> VolumeSourceRules.validateGcePersistentDisk(source);
      case "awsElasticBlockStore" -> {
        source.declared("volumeID");
        VolumeSourceRules.validatePartition(source.get("partition"));
      }
      case "iscsi" ->
          VolumeSourceRules.validateIscsiVolumeSource(
              source, "must be valid format starting with iqn, eui, or naa");
      case "cinder" -> {
        source.declared("volumeID");
        if (source.get("secretRef").present()) {
          source.get("secretRef", "name").needed();
        }
      }
      case "scaleIO" -> source.declared("gateway", "system").get("volumeName").needed();
      case "storageos" -> {
        source.get("volumeName").needed().dnsLabel();
        source.get("volumeNamespace").dnsLabel();
        if (source.get("secretRef").present()) {
          source.get("secretRef", "name").needed();
        }
      }
      case "flexVolume" ->
          VolumeSourceRules.validateFlexOptions(source.declared("driver").get("options"));
      case "flocker" -> VolumeSourceRules.validateFlockerVolumeSource(source);
      case "quobyte" -> VolumeSourceRules.validateQuobyteVolumeSource(source);
      case "azureDisk" -> VolumeSourceRules.validateAzureDisk(source);
      case "gitRepo" -> source.declared("repository").get("directory").as(Formats.RELATIVE_PATH);
      case "fc" -> VolumeSourceRules.validateFcVolumeSource(source);
      default -> {}
    }
  }

  /** A claim template takes labels and annotations, nothing else. */
  public static void validateTemplateObjectMeta(Value metadata) {
    for (Value annotation : metadata.get("annotations")) {
      String problem =
          Formats.QUALIFIED_NAME.apply(annotation.name().toLowerCase(java.util.Locale.ROOT));
      if (!problem.isEmpty()) {
        metadata.get("annotations").invalid(annotation.name(), problem);
      }
    }
    Labels.validateLabels(metadata.get("labels"));
    for (Value field : metadata) {
      Value same = metadata.get(field.name());
      if (!field.name().equals("labels") && !field.name().equals("annotations") && same.filled()) {
        // Kubernetes names the field of its own struct, with a small first letter
        metadata.get(field.name().equals("uid") ? "uID" : field.name()).forbidden("cannot be set");
      }
    }
  }
}
