package dev.keelson.schema.validation;

import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

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

  private static final Pattern IQN =
      Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([\\p{Alnum}\\-.]+)(:[^,;*&$|\\s]+)$");
  private static final Pattern EUI = Pattern.compile("eui.\\p{Alnum}{16}");
  private static final Pattern NAA = Pattern.compile("naa.\\p{Alnum}{32}");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[^\\[\\]]*]|[^:\\[\\]]*):[^:\\[\\]]*");

  private VolumeRules() {}

  static void check(Value volumes) {
    for (Value volume : volumes) {
      exactlyOneSource(volume);
      volume.get("name").dnsLabel();
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
        if (field.name().equals("iscsi")) {
          initiatorLength(field, volume.get("name"));
        }
      }
    }
    if (sources == 0) {
      volume.required("must specify a volume type");
    }
  }

  /** What Kubernetes checks wherever a source of a volume stands beside the volume's name. */
  static void initiatorLength(Value iscsi, Value name) {
    if (iscsi.get("initiatorName").present()
        && name.text().length() + 1 + iscsi.get("targetPortal").text().length() > 64) {
      name.invalid(
          "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
              + " iscsi.initiatorName is specified.");
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
      case "hostPath" -> source.get("path").needed().as(Formats.NO_PARENT);
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
      case "nfs" -> nfs(source);
      case "ephemeral" -> {
        Value template = source.get("volumeClaimTemplate").existing("");
        if (template.present()) {
          templateMetadata(template.get("metadata"));
          ClaimRules.spec(template.get("spec"));
        }
      }
      case "csi" -> {
        driverName(source.get("driver"));
        Value secret = source.get("nodePublishSecretRef", "name");
        if (source.get("nodePublishSecretRef").present()) {
          secret.needed();
          String problem = Formats.DNS_SUBDOMAIN.apply(secret.text());
          if (secret.filled() && !problem.isEmpty()) {
            source.get("name").invalid(secret.text(), problem);
          }
        }
      }
      case "image" -> source.get("reference").needed();
      case "gcePersistentDisk" -> persistentDisk(source);
      case "awsElasticBlockStore" -> partition(source.get("partition"));
      case "iscsi" -> iscsi(source, "must be valid format starting with iqn, eui, or naa");
      case "cinder" -> {
        if (source.get("secretRef").present()) {
          source.get("secretRef", "name").needed();
        }
      }
      case "scaleIO" -> source.get("volumeName").needed();
      case "storageos" -> {
        source.get("volumeName").needed().dnsLabel();
        source.get("volumeNamespace").dnsLabel();
        if (source.get("secretRef").present()) {
          source.get("secretRef", "name").needed();
        }
      }
      case "flexVolume" -> flexOptions(source.get("options"));
      case "flocker" -> flocker(source);
      case "quobyte" -> quobyte(source);
      case "azureDisk" -> azureDisk(source);
      case "gitRepo" -> source.get("directory").as(Formats.RELATIVE_PATH);
      case "fc" -> fibreChannel(source);
      default -> {}
    }
  }

  static void fibreChannel(Value source) {
    boolean targets = source.get("targetWWNs").size() > 0;
    boolean wwids = source.get("wwids").size() > 0;
    if (targets && wwids) {
      source.get("targetWWNs").invalid("targetWWNs and wwids can not be specified simultaneously");
    }
    if (!targets && !wwids) {
      source.get("targetWWNs").required("must specify either targetWWNs or wwids, but not both");
    } else if (targets) {
      Value lun = source.get("lun");
      if (lun.absent()) {
        lun.required("lun is required if targetWWNs is specified");
      } else {
        lun.range(0, 255);
      }
    }
  }

  /** {@code unknown} is the complaint about a name of no known kind. */
  static void iscsi(Value source, String unknown) {
    iscsiName(source.get("iqn"), source.get("iqn"), unknown);
    source.get("lun").range(0, 255);
    if ((source.get("chapAuthDiscovery").flag() || source.get("chapAuthSession").flag())
        && source.get("secretRef").absent()) {
      source.get("secretRef").required();
    }
    iscsiName(source.get("initiatorName"), source.get("initiatorname"), unknown);
  }

  private static void iscsiName(Value name, Value shownAt, String unknown) {
    String text = name.text();
    if (name.absent() || text.isEmpty() && name.name().equals("iqn")) {
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
  static void persistentDisk(Value source) {
    Value shownAt = source.sibling("persistentDisk").holding(source.node());
    shownAt.get("pdName").needed();
    partition(shownAt.get("partition"));
  }

  static void partition(Value partition) {
    // the words say 1, the rule 0
    if (partition.number() < 0 || partition.number() > 255) {
      partition.invalid("must be between 1 and 255, inclusive");
    }
  }

  static void nfs(Value source) {
    Value path = Labels.orEmpty(source.get("path"));
    if (!path.text().startsWith("/")) {
      path.needed().invalid("must be an absolute path");
    }
  }

  /** Options whose names are Kubernetes' own are refused. */
  static void flexOptions(Value options) {
    for (Value option : options) {
      int slash = option.name().indexOf('/');
      String domain = slash < 0 ? option.name() : option.name().substring(0, slash);
      String dotted = "." + domain.toLowerCase(java.util.Locale.ROOT);
      if (dotted.endsWith(".kubernetes.io") || dotted.endsWith(".k8s.io")) {
        option.invalid(option.name(), "kubernetes.io and k8s.io namespaces are reserved");
      }
    }
  }

  static void flocker(Value source) {
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

  static void quobyte(Value source) {
    Value registry = source.get("registry");
    if (source.get("tenant").text().length() > 64) {
      source.get("tenant").required("must be a UUID and may not exceed a length of 64 characters");
    }
    if (!registry.filled()) {
      registry.required("must be a host:port pair or multiple pairs separated by commas");
      return;
    }
    for (String pair : registry.text().split(",", -1)) {
      if (!HOST_AND_PORT.matcher(pair).matches()) {
        registry.invalid("must be a host:port pair or multiple pairs separated by commas");
      }
    }
  }

  static void azureDisk(Value source) {
    Value kind = source.get("kind");
    Value uri = Labels.orEmpty(source.get("diskURI"));
    if (kind.is("Managed") && !uri.text().startsWith("/subscriptions/")) {
      uri.unsupported(
          "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}");
    } else if (kind.present() && !kind.is("Managed") && !uri.text().startsWith("https://")) {
      uri.unsupported(
          "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd");
    }
  }

  /** A claim template takes labels and annotations, nothing else. */
  private static void templateMetadata(Value metadata) {
    for (Value annotation : metadata.get("annotations")) {
      String problem =
          Formats.QUALIFIED_NAME.apply(annotation.name().toLowerCase(java.util.Locale.ROOT));
      if (!problem.isEmpty()) {
        metadata.get("annotations").invalid(annotation.name(), problem);
      }
    }
    Labels.map(metadata.get("labels"));
    for (Value field : metadata) {
      Value same = metadata.get(field.name());
      if (!field.name().equals("labels") && !field.name().equals("annotations") && same.filled()) {
        same.forbidden("cannot be set");
      }
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
      localPath(item.get("path"), item.get("path"));
      mode(item.get("mode"));
    }
  }

  /** A relative path that does not lead out; what is wrong is said at {@code shownAt}. */
  private static void localPath(Value path, Value shownAt) {
    String text = path.text();
    String problem = text.isEmpty() ? "" : Formats.RELATIVE_PATH.apply(text);
    if (!problem.isEmpty()) {
      shownAt.invalid(text, problem);
    }
    if (text.startsWith("..") && !text.startsWith("../") && !text.equals("..")) {
      shownAt.invalid(text, "must not start with '..'");
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
      downwardFile(file, file);
    }
  }

  /** One file; Kubernetes names the list itself where it stands in a projection. */
  private static void downwardFile(Value file, Value shownAt) {
    Value path = file.get("path");
    if (!path.filled()) {
      shownAt.get("path").required();
    }
    localPath(path, shownAt.get("path"));
    Value field = file.get("fieldRef");
    Value resource = file.get("resourceFieldRef");
    if (field.present()) {
      ContainerRules.fieldRef(field, shownAt.get("fieldRef"), FILE_FIELDS);
      if (resource.present()) {
        shownAt.invalid(
            "resource", "fieldRef and resourceFieldRef can not be specified simultaneously");
      }
    } else if (resource.present()) {
      ContainerRules.resourceField(resource, shownAt.get("resourceFieldRef"), true);
    } else {
      shownAt.required("one of fieldRef and resourceFieldRef is required");
    }
    Value mode = file.get("mode");
    mode(shownAt.get("mode").holding(mode.node()));
  }

  private static void projected(Value source) {
    mode(source.get("defaultMode"));
    Set<String> paths = new HashSet<>();
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
          projection(kind, field, source, paths);
        }
      }
      if (sources > 1) {
        each.forbidden("may not specify more than 1 volume type per source");
      }
    }
  }

  private static void projection(String kind, Value field, Value projected, Set<String> paths) {
    switch (kind) {
      case "secret", "configMap" -> {
        field.get("name").needed();
        items(field.get("items"));
        for (Value item : field.get("items")) {
          onlyOnce(item.get("path"), field.get("name").text(), projected, paths);
        }
      }
      case "downwardAPI" -> {
        for (Value file : field.get("items")) {
          downwardFile(file, field);
          onlyOnce(file.get("path"), file.get("path").text(), projected, paths);
        }
      }
      case "serviceAccountToken" -> token(field, projected);
      case "clusterTrustBundle" -> {
        trustBundle(field);
        onlyOnce(field.get("path"), field.get("path").text(), projected, paths);
      }
      default -> field.get("path").as(Formats.RELATIVE_PATH);
    }
  }

  private static void onlyOnce(Value path, String shown, Value projected, Set<String> paths) {
    if (path.filled() && !paths.add(path.text())) {
      projected.invalid(shown, "conflicting duplicate paths");
    }
  }

  private static void token(Value token, Value projected) {
    Value seconds = token.get("expirationSeconds");
    if (seconds.present() && seconds.number() < 600) {
      seconds.invalid("may not specify a duration less than 10 minutes");
    } else if (seconds.present() && seconds.number() > 1L << 32) {
      seconds.invalid("may not specify a duration larger than 2^32 seconds");
    }
    if (token.get("path").filled()) {
      localPath(token.get("path"), projected.get("path"));
    } else {
      projected.get("path").required();
    }
  }

  private static void trustBundle(Value bundle) {
    Value name = bundle.get("name");
    Value signer = bundle.get("signerName");
    if (name.present() && signer.present()) {
      bundle.invalid("only one of name and signerName may be used");
    } else if (name.present()) {
      name.needed("must be a valid object name");
      if (bundle.get("labelSelector").present()) {
        bundle.get("labelSelector").invalid("labelSelector must be unset if name is specified");
      }
    } else if (signer.present()) {
      signer.needed("must be a valid signer name");
      Labels.selector(bundle.get("labelSelector"));
    } else {
      bundle.required("either name or signerName must be specified");
    }
    localPath(bundle.get("path").needed(), bundle.get("path"));
  }
}
