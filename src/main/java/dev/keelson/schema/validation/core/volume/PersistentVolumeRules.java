package dev.keelson.schema.validation.core.volume;

import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.NodeLabelWarnings;
import dev.keelson.schema.validation.QuantityRules;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.VolumeWarnings;
import java.util.function.Consumer;

/** Persistent volumes, and the specs of volumes that stand in other objects. */
public final class PersistentVolumeRules implements KindRules {
  /** The fields of the spec that are no sources. */
  private static final java.util.Set<String> OTHERS =
      java.util.Set.of(
          "capacity",
          "accessModes",
          "claimRef",
          "persistentVolumeReclaimPolicy",
          "storageClassName",
          "mountOptions",
          "volumeMode",
          "nodeAffinity",
          "volumeAttributesClassName");

  private static final String NOT_INLINE = "may not be specified in the context of inline volumes";

  private static final String MOUNT_OPTIONS = "volume.beta.kubernetes.io/mount-options";

  /** The sources whose mounts take options (source: pkg/volume/validation). */
  private static final String[] MOUNTED = {
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "nfs",
    "rbd",
    "quobyte",
    "iscsi",
    "cinder",
    "cephfs",
    "azureFile",
    "vsphereVolume",
    "azureDisk",
    "photonPersistentDisk"
  };

  /** The sources, in the order in which Kubernetes looks for more than one. */
  private static final String[] KINDS = {
    "hostPath",
    "gcePersistentDisk",
    "awsElasticBlockStore",
    "glusterfs",
    "flocker",
    "nfs",
    "rbd",
    "quobyte",
    "cephfs",
    "iscsi",
    "cinder",
    "fc",
    "flexVolume",
    "azureFile",
    "vsphereVolume",
    "photonPersistentDisk",
    "portworxVolume",
    "azureDisk",
    "scaleIO",
    "local",
    "storageos",
    "csi"
  };

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value spec = object.get("spec");
    spec.get("accessModes").needed();
    PersistentVolumeClaimRules.validateAccessModes(spec.get("accessModes"));
    Value capacity = spec.get("capacity");
    if (capacity.size() == 0) {
      capacity.required();
      capacity.holding(null).unsupportedNull("storage");
    } else if (capacity.size() > 1 || !capacity.map().has("storage")) {
      capacity.unsupported("storage");
    }
    for (Value amount : capacity) {
      ClaimUpdateRules.quantity(amount);
      QuantityRules.positive(amount);
    }
    spec.declared("persistentVolumeReclaimPolicy");
    affinity(spec.get("nodeAffinity"));
    sources(spec, object.get("metadata", "name").text());
    if (isRoot(spec.get("hostPath", "path").text())
        && spec.get("persistentVolumeReclaimPolicy").is("Recycle")) {
      spec.get("persistentVolumeReclaimPolicy")
          .forbidden("may not be 'recycle' for a hostPath mount of '/'");
    }
    spec.get("storageClassName").dnsSubdomain();
    PersistentVolumeClaimRules.validateVolumeMode(spec);
    attributes(spec);
  }

  /** The spec of a volume that is in another object, so that nothing can claim it. */
  public static void validateInlineSpec(Value spec) {
    for (String field : new String[] {"claimRef", "capacity"}) {
      if (spec.get(field).present() && !(field.equals("capacity") && spec.get(field).size() == 0)) {
        spec.get(field).forbidden(NOT_INLINE);
      }
    }
    spec.get("csi").existing("has to be specified in the context of inline volumes");
    spec.get("accessModes").needed();
    PersistentVolumeClaimRules.validateAccessModes(spec.get("accessModes"));
    for (Value amount : spec.get("capacity")) {
      ClaimUpdateRules.quantity(amount);
      QuantityRules.positive(amount);
    }
    Value policy = spec.get("persistentVolumeReclaimPolicy");
    if (policy.filled() && !policy.is("Retain")) {
      policy.forbidden("may only be Retain in the context of inline volumes");
    }
    if (spec.get("nodeAffinity").present()) {
      spec.get("nodeAffinity").forbidden(NOT_INLINE);
    }
    affinity(spec.get("nodeAffinity"));
    sources(spec, "");
    if (spec.get("storageClassName").filled()) {
      spec.get("storageClassName").forbidden(NOT_INLINE);
    }
    Value mode = spec.get("volumeMode");
    if (mode.present() && !mode.is("Filesystem")) {
      mode.forbidden(
          "may not specify volumeMode other than Filesystem in the context of inline volumes");
    }
    attributes(spec);
  }

  private static void attributes(Value spec) {
    Value attributes = spec.get("volumeAttributesClassName");
    if (attributes.present()) {
      attributes.needed("an empty string is disallowed").dnsSubdomain();
      spec.get("csi").existing("has to be specified when using volumeAttributesClassName");
    }
  }

  private static boolean isRoot(String path) {
    int depth = 0;
    for (String part : path.split("/", -1)) {
      if (part.equals("..")) {
        depth = Math.max(0, depth - 1);
      } else if (!part.isEmpty() && !part.equals(".")) {
        depth++;
      }
    }
    return path.startsWith("/") && depth == 0;
  }

  private static void affinity(Value affinity) {
    if (affinity.absent()) {
      return;
    }
    if (affinity.get("required").absent()) {
      affinity.get("required").required("must specify required node constraints");
    } else {
      Labels.validateNodeSelector(affinity.get("required"));
    }
  }

  private static void sources(Value spec, String name) {
    int sources = 0;
    for (String kind : KINDS) {
      Value source = spec.get(kind);
      if (source.absent()) {
        continue;
      }
      sources++;
      // Kubernetes never finds this one too many
      if (sources > 1 && !kind.equals("flexVolume")) {
        spec.get(VolumeSourceRules.FORBIDDEN_NAMES.getOrDefault(kind, kind))
            .forbidden("may not specify more than 1 volume type");
      } else {
        source(source, name);
        if (!VolumeSourceRules.isWithoutPath(source)) {
          source.declared();
        }
        if (kind.equals("local")) {
          spec.get("nodeAffinity").existing("Local volume requires node affinity");
        }
      }
    }
    if (sources == 0) {
      spec.required("must specify a volume type");
    }
  }

  private static void source(Value source, String name) {
    switch (source.name()) {
      case "hostPath", "local" -> source.get("path").needed().as(Formats.NO_PARENT);
      case "glusterfs" -> endpoints(source);
      case "nfs" -> VolumeSourceRules.validateNfsVolumeSource(source);
      case "gcePersistentDisk" -> VolumeSourceRules.validateGcePersistentDisk(source);
      case "awsElasticBlockStore" ->
          VolumeSourceRules.validatePartition(source.declared("volumeID").get("partition"));
      case "flocker" -> VolumeSourceRules.validateFlockerVolumeSource(source);
      case "quobyte" -> VolumeSourceRules.validateQuobyteVolumeSource(source);
      case "azureDisk" -> VolumeSourceRules.validateAzureDisk(source);
      case "flexVolume" ->
          VolumeSourceRules.validateFlexOptions(source.declared("driver").get("options"));
      case "scaleIO" -> source.declared("gateway", "system").get("volumeName").needed();
      case "azureFile" -> {
        source.declared("secretName", "shareName");
        if (source.get("secretNamespace").present()) {
          source.get("secretNamespace").needed();
        }
      }
      case "cinder" -> {
        source.declared("volumeID");
        if (source.get("secretRef").present()) {
          source.get("secretRef", "name").needed();
          source.get("secretRef", "namespace").needed();
        }
      }
      case "storageos" -> {
        source.get("volumeName").needed().dnsLabel();
        source.get("volumeNamespace").dnsLabel();
        if (source.get("secretRef").present()) {
          source.get("secretRef", "name").needed();
          source.get("secretRef", "namespace").needed();
        }
      }
      case "csi" -> {
        VolumeSourceRules.validateCsiDriverName(source.get("driver"));
        source.declared("volumeHandle");
        for (String secret :
            new String[] {
              "controllerPublishSecretRef",
              "controllerExpandSecretRef",
              "nodePublishSecretRef",
              "nodeExpandSecretRef"
            }) {
          if (source.get(secret).present()) {
            source.get(secret, "name").needed().dnsSubdomain();
            source.get(secret, "namespace").needed().dnsLabel();
          }
        }
      }
      case "iscsi" -> {
        iscsiLength(source, name);
        VolumeSourceRules.validateIscsiVolumeSource(source, "must be valid format");
        if (source.get("secretRef").present()) {
          source.get("secretRef", "name").needed();
        }
      }
      case "fc" -> VolumeSourceRules.validateFcVolumeSource(source);
      default -> {}
    }
  }

  private static void endpoints(Value source) {
    source.declared("endpoints", "path");
    Value namespace = source.get("endpointsNamespace");
    if (namespace.present() && !namespace.filled()) {
      namespace.invalid("if the endpointnamespace is set, it must be a valid namespace name");
    }
    namespace.dnsLabel();
  }

  private static void iscsiLength(Value source, String name) {
    Value portal = source.declared("targetPortal").get("targetPortal");
    if (source.get("initiatorName").present()
        && name.length() + 1 + portal.text().length() > VolumeSourceRules.ISCSI_LENGTH) {
      // Kubernetes writes it without a capital
      source.get("targetportal").invalid(portal.text(), VolumeSourceRules.TOO_LONG_FOR_ISCSI);
    }
  }

  @Override
  public void validateCreate(Value object) {
    validateMountOptions(object);
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    ClaimUpdateRules.validatePersistentVolumeUpdate(object, old, OTHERS);
    validateMountOptions(object);
  }

  /** The annotation that came before the field {@code mountOptions} is for some sources alone. */
  private static void validateMountOptions(Value object) {
    Value annotations = object.get("metadata", "annotations");
    if (annotations.key(MOUNT_OPTIONS).absent()) {
      return;
    }
    for (String kind : MOUNTED) {
      if (object.get("spec", kind).present()) {
        return;
      }
    }
    annotations.get(MOUNT_OPTIONS).forbidden("may not specify mount options for this volume type");
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    VolumeWarnings.warnAboutClassAnnotation(object, warnings);
    Value options = object.get("metadata", "annotations").key(MOUNT_OPTIONS);
    if (options.present()) {
      warnings.accept(
          options.path() + ": deprecated since v1.31; use \"mountOptions\" attribute instead");
    }
    if (object.get("spec", "persistentVolumeReclaimPolicy").is("Recycle")) {
      warnings.accept(
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated."
              + " Instead, the recommended approach is to use dynamic provisioning.");
    }
    for (Value term : object.get("spec", "nodeAffinity", "required", "nodeSelectorTerms")) {
      NodeLabelWarnings.warnAboutTerm(term, warnings);
    }
    VolumeWarnings.warnAboutSource(object.get("spec"), warnings);
  }
}
