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
    accessModes(modes);
    Labels.selector(spec.get("selector"));
    Value size = spec.get("resources", "requests").key("storage");
    Value shownAt = spec.get("resources").key("storage");
    if (size.absent()) {
      shownAt.required();
    } else {
      Amount.positive(shownAt.holding(size.node()));
    }
    spec.get("storageClassName").dnsSubdomain();
    spec.get("volumeAttributesClassName").dnsSubdomain();
    sources(spec);
  }

  private static void sources(Value spec) {
    Value source = spec.get("dataSource");
    Value reference = spec.get("dataSourceRef");
    source(source);
    source(reference);
    reference.get("namespace").dnsLabel();
    if (source.absent() || reference.absent()) {
      return;
    }
    if (reference.get("namespace").filled()) {
      spec.invalidPath("may not be specified when dataSourceRef.namespace is specified");
    } else if (!source.map().equals(reference.map())) {
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
    source.get("apiGroup").dnsSubdomain();
    if (source.present()
        && !source.get("apiGroup").filled()
        && !source.get("kind").is("PersistentVolumeClaim")) {
      source.invalid(
          source.get("kind").text(),
          "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
    }
  }

  private record Claim() implements TypeRules {
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
        Amount.notNegative(amount);
        Amount.positive(amount);
      }
      sources(spec);
      if (spec.get("hostPath", "path").is("/")
          && spec.get("persistentVolumeReclaimPolicy").is("Recycle")) {
        spec.get("persistentVolumeReclaimPolicy")
            .forbidden("may not be 'recycle' for a hostPath mount of '/'");
      }
      affinity(spec);
      spec.get("storageClassName").dnsSubdomain();
      spec.get("volumeAttributesClassName").dnsSubdomain();
    }

    private static void affinity(Value spec) {
      Value affinity = spec.get("nodeAffinity");
      if (affinity.absent()) {
        if (spec.get("local").present()) {
          affinity.required("Local volume requires node affinity");
        }
        return;
      }
      if (affinity.get("required").absent()) {
        affinity.get("required").required("must specify required node constraints");
      } else {
        Labels.nodeSelector(affinity.get("required"));
      }
    }

    private static void sources(Value spec) {
      int sources = 0;
      for (Value entry : spec) {
        if (OTHERS.contains(entry.name())) {
          continue;
        }
        Value source = spec.get(entry.name());
        sources++;
        if (sources > 1) {
          source.forbidden("may not specify more than 1 volume type");
        } else {
          source(source);
        }
        if (source.name().equals("iscsi")) {
          VolumeRules.initiatorLength(source, spec.sibling("metadata").get("name"));
        }
      }
      if (sources == 0) {
        spec.required("must specify a volume type");
      }
    }

    private static void source(Value source) {
      switch (source.name()) {
        case "hostPath", "local" -> source.get("path").as(Formats.NO_PARENT);
        case "nfs" -> VolumeRules.nfs(source);
        case "gcePersistentDisk" -> VolumeRules.persistentDisk(source);
        case "awsElasticBlockStore" -> VolumeRules.partition(source.get("partition"));
        case "flocker" -> VolumeRules.flocker(source);
        case "quobyte" -> VolumeRules.quobyte(source);
        case "azureDisk" -> VolumeRules.azureDisk(source);
        case "flexVolume" -> VolumeRules.flexOptions(source.get("options"));
        case "scaleIO" -> source.get("volumeName").needed();
        case "azureFile" -> {
          if (source.get("secretNamespace").present()) {
            source.get("secretNamespace").needed();
          }
        }
        case "cinder" -> {
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
          for (String secret :
              new String[] {
                "controllerPublishSecretRef",
                "nodePublishSecretRef",
                "controllerExpandSecretRef",
                "nodeExpandSecretRef"
              }) {
            if (source.get(secret).present()) {
              source.get(secret, "name").needed().dnsSubdomain();
              source.get(secret, "namespace").needed().dnsLabel();
            }
          }
        }
        case "iscsi" -> {
          VolumeRules.iscsi(source, "must be valid format");
          if (source.get("secretRef").present()) {
            source.get("secretRef", "name").needed();
          }
        }
        case "fc" -> VolumeRules.fibreChannel(source);
        default -> {}
      }
    }

    @Override
    public void changed(Value object, Value old) {
      ClaimUpdates.volume(object, old, OTHERS);
    }
  }
}
