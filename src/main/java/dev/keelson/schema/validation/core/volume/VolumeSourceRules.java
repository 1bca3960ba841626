package dev.keelson.schema.validation.core.volume;

import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.Value;
import java.util.Map;
import java.util.regex.Pattern;

/** Sources of storage that volumes of pods and persistent volumes have in common. */
public final class VolumeSourceRules {
  /** The names by which Kubernetes reports a second source. */
  static final Map<String, String> FORBIDDEN_NAMES =
      Map.of("cephfs", "cephFS", "downwardAPI", "downwarAPI");

  /** The most that the name and the portal of a volume over iSCSI may have, with a colon. */
  static final int ISCSI_LENGTH = 64;

  static final String TOO_LONG_FOR_ISCSI =
      "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
          + " iscsi.initiatorName is specified.";
  private static final Pattern IQN =
      Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([\\p{Alnum}\\-.]+)(:[^,;*&$|\\s]+)$");
  private static final Pattern EUI = Pattern.compile("eui.\\p{Alnum}{16}");
  private static final Pattern NAA = Pattern.compile("naa.\\p{Alnum}{32}");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[^\\[\\]]*]|[^:\\[\\]]*):[^:\\[\\]]*");

  private VolumeSourceRules() {}

  /**
   * Whether a source is a directory of the host without a path; nothing else of it is validated.
   */
  static boolean isWithoutPath(Value source) {
    return source.name().equals("hostPath") && !source.get("path").filled();
  }

  static void validateFcVolumeSource(Value source) {
    boolean targets = source.get("targetWWNs").size() > 0;
    boolean wwids = source.get("wwids").size() > 0;
    if (targets && wwids) {
      source.get("targetWWNs").invalid("targetWWNs and wwids can not be specified simultaneously");
    }
    if (!targets && !wwids) {
      source.get("targetWWNs").required("must specify either targetWWNs or wwids, but not both");
    }
    if (targets) {
      Value lun = source.get("lun");
      if (lun.absent()) {
        lun.required("lun is required if targetWWNs is specified");
      } else {
        lun.range(0, 255);
      }
    }
  }

  /** {@code unknown} is the complaint about a name of no known kind. */
  static void validateIscsiVolumeSource(Value source, String unknown) {
    source.declared("targetPortal", "iqn");
    validateIscsiName(source.get("iqn"), source.get("iqn"), unknown);
    source.get("lun").range(0, 255);
    if ((source.get("chapAuthDiscovery").flag() || source.get("chapAuthSession").flag())
        && source.get("secretRef").absent()) {
      source.get("secretRef").required();
    }
    validateIscsiName(source.get("initiatorName"), source.get("initiatorname"), unknown);
  }

  private static void validateIscsiName(Value name, Value shownAt, String unknown) {
    String text = name.text();
    if (name.absent() || (text.isEmpty() && name.name().equals("iqn"))) {
      return;
    }
    boolean valid;
    if (text.startsWith("iqn")) {
      valid = IQN.matcher(text).find();
    } else if (text.startsWith("eui")) {
      valid = EUI.matcher(text).matches();
    } else if (text.startsWith("naa")) {
      valid = NAA.matcher(text).matches();
    } else {
      shownAt.invalid(text, unknown);
      return;
    }
    if (!valid) {
      shownAt.invalid(text, "must be valid format");
    }
  }

  /** Kubernetes calls the source by a name of its own. */
  static void validateGcePersistentDisk(Value source) {
    Value shownAt = source.renamed("persistentDisk");
    shownAt.get("pdName").needed();
    validatePartition(shownAt.get("partition"));
  }

  static void validatePartition(Value partition) {
    // the words say 1, the rule 0
    if (partition.number() < 0 || partition.number() > 255) {
      partition.invalid("must be between 1 and 255, inclusive");
    }
  }

  static void validateNfsVolumeSource(Value source) {
    source.declared("server");
    Value path = source.get("path").orEmpty();
    if (!path.text().startsWith("/")) {
      path.needed().invalid("must be an absolute path");
    }
  }

  /** Options whose names are Kubernetes' own are refused. */
  static void validateFlexOptions(Value options) {
    for (Value option : options) {
      int slash = option.name().indexOf('/');
      String domain = slash < 0 ? option.name() : option.name().substring(0, slash);
      String dotted = "." + domain.toLowerCase(java.util.Locale.ROOT);
      if (dotted.endsWith(".kubernetes.io") || dotted.endsWith(".k8s.io")) {
        option.invalid(option.name(), "kubernetes.io and k8s.io namespaces are reserved");
      }
    }
  }

  static void validateFlockerVolumeSource(Value source) {
    Value name = source.get("datasetName");
    boolean hasName = name.filled();
    boolean hasUuid = source.get("datasetUUID").filled();
    if (!hasName && !hasUuid) {
      source.required("one of datasetName and datasetUUID is required");
    } else if (hasName && hasUuid) {
      source.invalid("resource", "datasetName and datasetUUID can not be specified simultaneously");
    }
    if (name.text().contains("/")) {
      name.invalid("must not contain '/'");
    }
  }

  static void validateQuobyteVolumeSource(Value source) {
    Value registry = source.get("registry");
    if (!registry.filled()) {
      registry.required("must be a host:port pair or multiple pairs separated by commas");
      return;
    }
    if (source.get("tenant").text().length() > 64) {
      source.get("tenant").required("must be a UUID and may not exceed a length of 64 characters");
      return;
    }
    for (String pair : registry.text().split(",", -1)) {
      if (!HOST_AND_PORT.matcher(pair).matches()) {
        registry.invalid("must be a host:port pair or multiple pairs separated by commas");
      }
    }
  }

  static void validateAzureDisk(Value source) {
    source.declared("diskName", "diskURI", "cachingMode", "kind");
    Value kind = source.get("kind");
    Value uri = source.get("diskURI").orEmpty();
    if (kind.is("Managed") && !uri.text().startsWith("/subscriptions/")) {
      uri.unsupported(
          "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}");
    } else if (kind.present() && !kind.is("Managed") && !uri.text().startsWith("https://")) {
      uri.unsupported(
          "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd");
    }
  }

  /** The name of a CSI driver: a DNS name of at most 63 characters. */
  public static void validateCsiDriverName(Value driver) {
    if (!driver.filled()) {
      // Kubernetes says of an empty name that it is, and that it fits no pattern
      driver.required();
      driver.orEmpty().invalid(Formats.DNS_SUBDOMAIN.apply(""));
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
}
