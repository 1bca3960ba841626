package dev.keelson.schema.validation;

import dev.keelson.object.MapNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
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

  /** Under these names Kubernetes tells of a source too many. */
  static final Map<String, String> FORBIDDEN_NAMES =
      Map.of("cephfs", "cephFS", "downwardAPI", "downwarAPI");

  /** The most that the name and the portal of a volume over iSCSI may have, with a colon. */
  static final int ISCSI_LENGTH = 64;

  static final String TOO_LONG_FOR_ISCSI =
      "Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if"
          + " iscsi.initiatorName is specified.";

  private static final String BAD_MODE =
      "must be a number between 0 and 0777 (octal), both inclusive";

  private static final Pattern IQN =
      Pattern.compile("iqn\\.\\d{4}-\\d{2}\\.([\\p{Alnum}\\-.]+)(:[^,;*&$|\\s]+)$");
  private static final Pattern EUI = Pattern.compile("eui.\\p{Alnum}{16}");
  private static final Pattern NAA = Pattern.compile("naa.\\p{Alnum}{32}");
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(\\[[^\\[\\]]*]|[^:\\[\\]]*):[^:\\[\\]]*");

  private VolumeRules() {}

  /**
   * Checks the volumes of a pod spec.
   *
   * @param podName the pod's name, empty for a draft of pods
   * @return those that break no rule, by name; containers can mount no others
   */
  static Map<String, Value> check(Value volumes, String podName) {
    if (volumes.size() == 0) {
      return Map.of();
    }
    Map<String, Value> valid = new HashMap<>();
    Set<String> created = created(volumes, podName);
    for (Value volume : volumes) {
      int before = volume.complaints();
      source(volume, podName);
      Value name = volume.declared("name").get("name").dnsLabel();
      volume.declared();
      if (valid.containsKey(name.text())) {
        name.duplicate();
      }
      if (volume.complaints() == before) {
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
  private static Set<String> created(Value volumes, String podName) {
    Set<String> claims = new HashSet<>();
    for (Value volume : volumes) {
      if (!podName.isEmpty() && volume.get("ephemeral").present()) {
        claims.add(podName + "-" + volume.get("name").text());
      }
    }
    return claims;
  }

  private static void source(Value volume, String podName) {
    MapNode map = volume.map();
    if (map.size() == 2 && map.has("name")) {
      // nearly every volume has one source, which stands beside the name
      String kind = map.keyAt(map.keyAt(0).equals("name") ? 1 : 0);
      if (volume.get(kind).present()) {
        source(volume, kind, true, podName);
        return;
      }
    }
    int sources = 0;
    for (String kind : KINDS) {
      if (volume.get(kind).present()) {
        source(volume, kind, ++sources == 1, podName);
      }
    }
    if (sources == 0) {
      volume.required("must specify a volume type");
    }
  }

  private static void source(Value volume, String kind, boolean first, String podName) {
    Value field = volume.get(kind);
    if (first) {
      source(field);
      if (kind.equals("image") && !podName.isEmpty()) {
        field.get("reference").needed();
      }
      field.declared();
      if (kind.equals("ephemeral")) {
        claimName(volume.get("name"), podName);
      }
    } else {
      volume
          .get(FORBIDDEN_NAMES.getOrDefault(kind, kind))
          .forbidden("may not specify more than 1 volume type");
    }
    if (kind.equals("iscsi")) {
      initiatorLength(field, volume.get("name"));
    }
  }

  /** An ephemeral volume gets a claim, named after the pod and the volume. */
  private static void claimName(Value name, String podName) {
    if (podName.isEmpty() || !name.filled()) {
      return;
    }
    String claim = podName + "-" + name.text();
    Formats.DNS_SUBDOMAIN
        .apply(claim)
        .lines()
        .forEach(problem -> name.invalid("PVC name " + Shown.quoted(claim) + ": " + problem));
  }

  /** What Kubernetes checks wherever a source of a volume stands beside the volume's name. */
  private static void initiatorLength(Value iscsi, Value name) {
    if (iscsi.get("initiatorName").present()
        && name.text().length() + 1 + iscsi.get("targetPortal").text().length() > ISCSI_LENGTH) {
      name.invalid(TOO_LONG_FOR_ISCSI);
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
      case "gcePersistentDisk" -> persistentDisk(source);
      case "awsElasticBlockStore" -> {
        source.declared("volumeID");
        partition(source.get("partition"));
      }
      case "iscsi" -> iscsi(source, "must be valid format starting with iqn, eui, or naa");
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
      case "flexVolume" -> flexOptions(source.declared("driver").get("options"));
      case "flocker" -> flocker(source);
      case "quobyte" -> quobyte(source);
      case "azureDisk" -> azureDisk(source);
      case "gitRepo" -> source.declared("repository").get("directory").as(Formats.RELATIVE_PATH);
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
  static void iscsi(Value source, String unknown) {
    source.declared("targetPortal", "iqn");
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
    source.declared("server");
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

  static void azureDisk(Value source) {
    source.declared("diskName", "diskURI", "cachingMode", "kind");
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
      // Kubernetes says of an empty name that it is, and that it fits no pattern
      driver.required();
      Labels.orEmpty(driver).invalid(Formats.DNS_SUBDOMAIN.apply(""));
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
      item(item);
    }
  }

  private static void item(Value item) {
    item.declared("key", "path");
    localPath(item.get("path"), item.get("path"));
    mode(item.get("mode"));
  }

  /** A relative path that does not lead out; what is wrong is said at {@code shownAt}. */
  private static void localPath(Value path, Value shownAt) {
    String text = path.text();
    String problem = Formats.RELATIVE_PATH.apply(text);
    if (!problem.isEmpty()) {
      shownAt.invalid(text, problem);
    }
    if (text.startsWith("..") && !text.startsWith("../")) {
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
      downwardFile(file, source);
    }
  }

  /** One file; Kubernetes names neither the list nor the file, but {@code shownAt}. */
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
        for (Value item : field.get("items")) {
          item(item);
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
