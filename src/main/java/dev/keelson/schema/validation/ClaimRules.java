package dev.keelson.schema.validation;

import java.util.Map;

/** Claims for storage and the volumes that serve them. */
final class ClaimRules {

  private ClaimRules() {}

  static void addTo(Map<String, TypeRules> rules) {
    rules.put("/PersistentVolumeClaim", new Claim());
    rules.put("/PersistentVolume", new Volume());
  }

  /** The spec of a claim, also of one in a template. */
  static void spec(Value spec) {
    Value modes = spec.get("accessModes");
    modes.needed("at least 1 access mode is required");
    Labels.selector(spec.get("selector"));
    accessModes(modes);
    Value size = spec.get("resources", "requests").key("storage");
    Value shownAt = spec.get("resources").key("storage");
    if (size.absent()) {
      shownAt.required();
    } else {
      Amount.positive(shownAt.holding(size.node()));
    }
    spec.get("storageClassName").dnsSubdomain();
    volumeMode(spec);
    source(spec.get("dataSource"));
    source(spec.get("dataSourceRef"));
    spec.get("dataSourceRef", "namespace").dnsLabel();
    oneSource(spec);
    spec.get("volumeAttributesClassName").dnsSubdomain();
  }

  private static void volumeMode(Value spec) {
    Value mode = spec.declared("volumeMode").get("volumeMode");
    if (mode.present() && !mode.filled()) {
      mode.unsupported("Block", "Filesystem");
    }
  }

  private static void oneSource(Value spec) {
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

  private static void accessModes(Value modes) {
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

  private static void source(Value source) {
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

  private record Claim() implements TypeRules {
    @Override
    public boolean asksForDeclared() {
      return true;
    }

    @Override
    public void check(Value object) {
      spec(object.get("spec"));
    }

    @Override
    public void changed(Value object, Value old) {
      ClaimUpdates.claim(object, old);
    }

    @Override
    public void statusChanged(Value object, Value old) {
      ClaimUpdates.claimStatus(object);
    }
  }

  private record Volume() implements TypeRules {
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
    public boolean asksForDeclared() {
      return true;
    }

    @Override
    public void check(Value object) {
      Value spec = object.get("spec");
      spec.get("accessModes").needed();
      accessModes(spec.get("accessModes"));
      Value capacity = spec.get("capacity");
      if (capacity.size() == 0) {
        capacity.required();
        capacity.holding(null).unsupportedNull("storage");
      } else if (capacity.size() > 1 || !capacity.map().has("storage")) {
        capacity.unsupported("storage");
      }
      for (Value amount : capacity) {
        ClaimUpdates.quantity(amount);
        Amount.positive(amount);
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
      volumeMode(spec);
      Value attributes = spec.get("volumeAttributesClassName");
      if (attributes.present()) {
        attributes.needed("an empty string is disallowed").dnsSubdomain();
        spec.get("csi").existing("has to be specified when using volumeAttributesClassName");
      }
    }

    private static boolean isRoot(String path) {
      return path.startsWith("/") && java.nio.file.Path.of(path).normalize().getNameCount() == 0;
    }

    private static void affinity(Value affinity) {
      if (affinity.absent()) {
        return;
      }
      if (affinity.get("required").absent()) {
        affinity.get("required").required("must specify required node constraints");
      } else {
        Labels.nodeSelector(affinity.get("required"));
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
          spec.get(VolumeRules.FORBIDDEN_NAMES.getOrDefault(kind, kind))
              .forbidden("may not specify more than 1 volume type");
        } else {
          source(source, name);
          source.declared();
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
        case "nfs" -> VolumeRules.nfs(source);
        case "gcePersistentDisk" -> VolumeRules.persistentDisk(source);
        case "awsElasticBlockStore" ->
            VolumeRules.partition(source.declared("volumeID").get("partition"));
        case "flocker" -> VolumeRules.flocker(source);
        case "quobyte" -> VolumeRules.quobyte(source);
        case "azureDisk" -> VolumeRules.azureDisk(source);
        case "flexVolume" -> VolumeRules.flexOptions(source.declared("driver").get("options"));
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
          VolumeRules.driverName(source.get("driver"));
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
          VolumeRules.iscsi(source, "must be valid format");
          if (source.get("secretRef").present()) {
            source.get("secretRef", "name").needed();
          }
        }
        case "fc" -> VolumeRules.fibreChannel(source);
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
          && name.length() + 1 + portal.text().length() > VolumeRules.ISCSI_LENGTH) {
        // Kubernetes writes it without a capital
        source.get("targetportal").invalid(portal.text(), VolumeRules.TOO_LONG_FOR_ISCSI);
      }
    }

    @Override
    public void changed(Value object, Value old) {
      ClaimUpdates.volume(object, old, OTHERS);
    }
  }
}
