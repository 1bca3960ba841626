package dev.keelson.schema.validation;

import java.util.Set;

/** The volumes of a pod: each has a name and exactly one source. */
final class VolumeRules {

  private static final Set<String> FILE_FIELDS =
      Set.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.labels",
          "metadata.annotations",
          "metadata.uid");

  private static final String BAD_MODE =
      "must be a number between 0 and 0777 (octal), both inclusive";

  private VolumeRules() {}

  static void check(Value volumes) {
    for (Value volume : volumes) {
      volume.get("name").dnsLabel();
      exactlyOneSource(volume);
    }
    volumes.uniqueBy("name");
  }

  private static void exactlyOneSource(Value volume) {
    // an emptyDir counts first, wherever it stands
    int sources = volume.get("emptyDir").present() ? 1 : 0;
    if (sources == 1) {
      source(volume.get("emptyDir"));
    }
    for (Value source : volume) {
      if (!source.name().equals("name") && !source.name().equals("emptyDir")) {
        // an entry of the map is a field of the volume: its path has a dot, not brackets
        Value field = volume.get(source.name());
        sources++;
        if (sources > 1) {
          field.forbidden("may not specify more than 1 volume type");
        } else {
          source(field);
        }
      }
    }
    if (sources == 0) {
      volume.required("must specify a volume type");
    }
  }

  private static void source(Value source) {
    switch (source.name()) {
      case "emptyDir" -> {
        Value limit = source.get("sizeLimit");
        if (limit.text().startsWith("-")) {
          limit.forbidden("SizeLimit field must be a valid resource quantity");
        }
      }
      case "hostPath" -> source.get("path").as(Formats.NO_PARENT);
      case "configMap" -> {
        source.get("name").needed();
        files(source);
      }
      case "secret" -> {
        source.get("secretName").needed();
        files(source);
      }
      case "downwardAPI" -> downward(source);
      case "projected" -> projected(source);
      case "nfs" -> {
        Value path = source.get("path");
        if (path.filled() && !path.text().startsWith("/")) {
          path.invalid("must be an absolute path");
        }
      }
      case "ephemeral" -> {
        Value template = source.get("volumeClaimTemplate").existing("");
        if (template.present()) {
          Labels.map(template.get("metadata", "labels"));
          ClaimRules.spec(template.get("spec"));
        }
      }
      case "csi" -> {
        driverName(source.get("driver"));
        if (source.get("nodePublishSecretRef").present()) {
          source.get("nodePublishSecretRef", "name").needed();
        }
      }
      case "image" -> source.get("reference").needed();
      case "gcePersistentDisk" -> source.get("partition").range(0, 255);
      case "awsElasticBlockStore" -> source.get("partition").range(0, 255);
      case "iscsi" -> iscsi(source);
      case "rbd", "cephfs", "cinder", "scaleIO", "storageos" -> {
        if (source.get("secretRef").present()) {
          source.get("secretRef", "name").needed();
        }
      }
      case "gitRepo" -> source.get("directory").as(Formats.RELATIVE_PATH);
      case "fc" -> fibreChannel(source);
      default -> {}
    }
  }

  static void fibreChannel(Value source) {
    boolean targets = source.get("targetWWNs").size() > 0;
    boolean wwids = source.get("wwids").size() > 0;
    if (targets && wwids) {
      source
          .get("targetWWNs")
          .invalid("fc: targetWWNs and wwids can not be specified simultaneously");
    } else if (!targets && !wwids) {
      source.get("targetWWNs").required("fc: either targetWWNs or wwids is required, but not both");
    } else if (targets) {
      Value lun = source.get("lun");
      if (lun.absent()) {
        lun.required("lun is required if targetWWNs is specified");
      } else {
        lun.range(0, 255);
      }
    }
  }

  static void iscsi(Value source) {
    source.get("lun").range(0, 255);
    Value iqn = source.get("iqn");
    String text = iqn.text();
    if (!text.isEmpty()
        && !(text.startsWith("iqn") || text.startsWith("eui") || text.startsWith("naa"))) {
      iqn.invalid("must be valid format starting with iqn, eui, or naa");
    }
  }

  /** The name of a CSI driver: a DNS name of at most 63 characters. */
  static void driverName(Value driver) {
    if (!driver.filled()) {
      return;
    }
    if (driver.text().length() > 63) {
      driver.tooLong(63);
    }
    String problem = Formats.DNS_SUBDOMAIN.apply(driver.text().toLowerCase(java.util.Locale.ROOT));
    if (!problem.isEmpty()) {
      driver.invalid(problem);
    }
  }

  private static void files(Value source) {
    mode(source.get("defaultMode"));
    items(source.get("items"));
  }

  private static void items(Value items) {
    for (Value item : items) {
      Value path = item.get("path");
      path.as(Formats.RELATIVE_PATH);
      if (path.text().startsWith("..") && Formats.RELATIVE_PATH.apply(path.text()).isEmpty()) {
        path.invalid("must not start with '..'");
      }
      mode(item.get("mode"));
    }
  }

  private static void mode(Value mode) {
    if (mode.present() && (mode.number() < 0 || mode.number() > 0777)) {
      mode.invalid(BAD_MODE);
    }
  }

  private static void downward(Value source) {
    mode(source.get("defaultMode"));
    for (Value file : source.get("items")) {
      Value path = file.get("path").needed();
      path.as(Formats.RELATIVE_PATH);
      Value field = file.get("fieldRef");
      Value resource = file.get("resourceFieldRef");
      if (field.present()) {
        ContainerRules.fieldRef(field, FILE_FIELDS);
        if (resource.present()) {
          file.invalid(
              "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
        }
      } else if (resource.present()) {
        ContainerRules.resourceField(resource, true);
      } else {
        file.required("one of fieldRef and resourceFieldRef is required");
      }
      mode(file.get("mode"));
    }
  }

  private static void projected(Value source) {
    mode(source.get("defaultMode"));
    for (Value each : source.get("sources")) {
      int sources = 0;
      for (String kind :
          new String[] {
            "secret",
            "configMap",
            "downwardAPI",
            "serviceAccountToken",
            "clusterTrustBundle",
            "podCertificate"
          }) {
        Value field = each.get(kind);
        if (field.present()) {
          sources++;
          if (sources > 1) {
            field.forbidden("may not specify more than 1 volume type");
          } else {
            projection(kind, field);
          }
        }
      }
      if (sources == 0) {
        each.required("must specify a volume type");
      }
    }
  }

  private static void projection(String kind, Value source) {
    switch (kind) {
      case "secret", "configMap" -> {
        source.get("name").needed();
        items(source.get("items"));
      }
      case "downwardAPI" -> downward(source);
      case "serviceAccountToken" -> {
        Value seconds = source.get("expirationSeconds");
        if (seconds.present() && seconds.number() < 600) {
          seconds.invalid("may not specify a duration less than 10 minutes");
        } else if (seconds.present() && seconds.number() > 1L << 32) {
          seconds.invalid("may not specify a duration larger than 2^32 seconds");
        }
        source.get("path").as(Formats.RELATIVE_PATH);
      }
      default -> source.get("path").as(Formats.RELATIVE_PATH);
    }
  }
}
