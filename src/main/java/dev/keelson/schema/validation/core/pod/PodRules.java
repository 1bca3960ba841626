package dev.keelson.schema.validation.core.pod;

import dev.keelson.api.Names;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.validation.AddressWarnings;
import dev.keelson.schema.validation.DeclaredOrder;
import dev.keelson.schema.validation.Formats;
import dev.keelson.schema.validation.GivenText;
import dev.keelson.schema.validation.KindRules;
import dev.keelson.schema.validation.Labels;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.core.volume.VolumeRules;
import dev.keelson.value.GoQuote;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Pods, and the drafts of pods in templates. */
public final class PodRules implements KindRules {
  private static final String APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";
  private static final String SECCOMP_POD = "seccomp.security.alpha.kubernetes.io/pod";
  private static final String SECCOMP_CONTAINER = "container.seccomp.security.alpha.kubernetes.io/";
  private static final String DELETION_COST = "controller.kubernetes.io/pod-deletion-cost";
  private static final String WITHOUT_HOST_USERS = "when `hostUsers` is false";
  private static final int LONGEST_HOST_NAME = 64;
  private static final int NAME_SERVERS = 3;
  private static final java.util.regex.Pattern SEARCH =
      java.util.regex.Pattern.compile(
          "_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*+");
  private static final String NO_SEARCH =
      "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters,"
          + " '_', '-' or '.', and must start and end with an alphanumeric character (e.g."
          + " 'example.com', regex used for validation is"
          + " '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')";
  private static final int SEARCH_PATHS = 32;
  private static final int SEARCH_CHARACTERS = 2048;

  @Override
  public DeclaredOrder declaredOrder() {
    return DeclaredOrder.IN_PLACE;
  }

  @Override
  public void validate(Value object) {
    Value annotations = object.get("metadata", "annotations");
    validatePodAnnotations(annotations, annotations, object.get("spec"));
    Value spec = object.get("spec");
    boolean mirror = annotations.key(PodStatusRules.MIRROR).present();
    validatePodSpec(spec, object.get("metadata", "name").text(), mirror ? object : null);
    if (!spec.get("serviceAccountName").filled()) {
      validateServiceAccountTokens(spec.get("volumes"));
    }
    for (String list : new String[] {"containers", "initContainers"}) {
      for (Value container : spec.get(list)) {
        ContainerRules.validateImageWhitespace(container);
      }
    }
  }

  /** A token is one of the account that the pod runs as. */
  private static void validateServiceAccountTokens(Value volumes) {
    for (Value volume : volumes) {
      for (Value source : volume.get("projected", "sources")) {
        if (source.get("serviceAccountToken").present()) {
          source
              .get("serviceAccountToken")
              .forbidden("must not be specified when serviceAccountName is not set");
        }
      }
    }
  }

  /**
   * Annotations that mean something for pods.
   *
   * @param annotations where causes show them
   * @param place where they are
   */
  private static void validatePodAnnotations(Value annotations, Value place, Value spec) {
    if (annotations.key(PodStatusRules.MIRROR).present() && !spec.get("nodeName").filled()) {
      annotations
          .key(PodStatusRules.MIRROR)
          .invalid("must set spec.nodeName if mirror pod annotation is set");
    }
    validateDeletionCost(
        annotations.key(DELETION_COST), place.holding(place.before()).key(DELETION_COST));
    Value ofPod = annotations.key(SECCOMP_POD);
    if (ofPod.present()) {
      validateSeccompAnnotation(annotations, ofPod);
    }
    for (Value each : annotations) {
      if (each.name().startsWith(SECCOMP_CONTAINER)) {
        validateSeccompAnnotation(annotations, each);
      }
    }
    Set<String> containers = null;
    for (Value each : annotations) {
      if (each.name().startsWith(APP_ARMOR)) {
        String container = each.name().substring(APP_ARMOR.length());
        containers = containers == null ? containerNames(spec) : containers;
        if (!containers.contains(container)) {
          annotations.key(each.name()).invalid(container, "container not found");
        }
        String profile = each.text();
        if (!profile.isEmpty()
            && !profile.equals("runtime/default")
            && !profile.equals("unconfined")
            && !profile.startsWith("localhost/")) {
          annotations
              .key(each.name())
              .invalid("invalid AppArmor profile name: " + GoQuote.quote(profile));
        }
      }
    }
  }

  /**
   * A number as Go writes it: no plus sign, no leading zeros, 32 bits. What is stored as another
   * may be changed to any.
   */
  private static void validateDeletionCost(Value cost, Value old) {
    boolean any = old.present() && !isDeletionCost(old.text());
    if (cost.present() && !any && !isDeletionCost(cost.text())) {
      cost.invalid("must be a 32bit integer");
    }
  }

  static boolean isDeletionCost(String text) {
    int digits = text.startsWith("-") ? 1 : 0;
    boolean zero = digits == 0 && text.equals("0");
    if (digits == 0 && !zero && (text.isEmpty() || text.charAt(0) < '1' || text.charAt(0) > '9')) {
      return false;
    }
    try {
      Integer.parseInt(text);
      return true;
    } catch (NumberFormatException e) {
      // the question is whether it is one, and it is not
      return false;
    }
  }

  private static void validateSeccompAnnotation(Value annotations, Value each) {
    String profile = each.text();
    Value shownAt = annotations.get(each.name());
    if (profile.startsWith("localhost/")) {
      String problem = Formats.RELATIVE_PATH.apply(profile.substring("localhost/".length()));
      if (!problem.isEmpty()) {
        shownAt.invalid(profile.substring("localhost/".length()), problem);
      }
    } else if (!profile.equals("runtime/default")
        && !profile.equals("docker/default")
        && !profile.equals("unconfined")) {
      shownAt.invalid(profile, "must be a valid seccomp profile");
    }
  }

  private static Set<String> containerNames(Value spec) {
    Set<String> names = new HashSet<>();
    for (String kind : new String[] {"containers", "initContainers", "ephemeralContainers"}) {
      for (Value container : spec.get(kind)) {
        names.add(container.get("name").text());
      }
    }
    return names;
  }

  @Override
  public void validateCreate(Value object) {
    Value spec = object.get("spec");
    if (spec.get("ephemeralContainers").size() > 0) {
      spec.get("ephemeralContainers").forbidden("cannot be set on create");
    }
    if (spec.get("nodeName").filled() && spec.get("schedulingGates").size() > 0) {
      spec.get("nodeName").forbidden("cannot be set until all schedulingGates have been cleared");
    }
    ProfileAnnotations.validateProfileAnnotations(object.get("metadata", "annotations"), spec);
  }

  @Override
  public void validateUpdate(Value object, Value old) {
    PodStatusRules.validatePodAnnotationsUpdate(
        object.get("metadata", "annotations"), old.get("metadata", "annotations"));
    PodUpdateRules.validatePodUpdate(object.get("spec"), old.get("spec"));
  }

  @Override
  public void validateSubresourceUpdate(String subresource, Value object, Value old) {
    switch (subresource) {
      case "ephemeralcontainers" -> {
        PodStatusRules.validatePodAnnotationsUpdate(
            object.get("metadata", "annotations"), old.get("metadata", "annotations"));
        if (old.get("metadata", "annotations").key(PodStatusRules.MIRROR).present()) {
          object.get("[]").forbidden("static pods do not support ephemeral containers");
        } else {
          PodUpdateRules.validateEphemeralContainersUpdate(object.get("spec"), old.get("spec"));
        }
      }
      case "resize" -> PodResizeRules.validatePodResize(object, old);
      default -> {}
    }
  }

  @Override
  public void validateStatusUpdate(Value object, Value old) {
    Value annotations = object.get("metadata", "annotations");
    Value was = old.get("metadata", "annotations");
    if (!annotations.sameAs(was)) {
      PodStatusRules.validatePodAnnotationsUpdate(annotations, was);
      validatePodAnnotations(annotations, annotations, object.get("spec"));
    }
    PodStatusRules.validatePodStatusUpdate(object, old);
  }

  /** Validates the pod template of another object (ValidatePodTemplateSpec). */
  public static void validatePodTemplateSpec(Value template) {
    Value metadata = template.get("metadata");
    validateTemplateLabels(metadata.get("labels"), template.get("labels"));
    validateAnnotationKeys(metadata.get("annotations"), template.get("annotations"));
    Value spec = template.get("spec");
    validatePodAnnotations(
        template.get("annotations").holding(metadata.get("annotations").node()),
        metadata.get("annotations"),
        spec);
    validatePodSpec(spec, "", null);
    ProfileAnnotations.validateProfileAnnotations(metadata.get("annotations"), spec);
    if (spec.get("ephemeralContainers").size() > 0) {
      spec.get("ephemeralContainers").forbidden("ephemeral containers not allowed in pod template");
    }
  }

  /** Kubernetes leaves the metadata out of the path of a template's labels. */
  public static void validateTemplateLabels(Value labels, Value shownAt) {
    Labels.validateLabels(shownAt.holding(labels.node()));
  }

  private static void validateAnnotationKeys(Value annotations, Value shownAt) {
    for (Value each : annotations) {
      String problem = Names.qualifiedName(each.name().toLowerCase(java.util.Locale.ROOT));
      if (!problem.isEmpty()) {
        shownAt.invalid(each.name(), problem);
      }
    }
  }

  /**
   * The spec of a pod, in the order of Kubernetes' complaints.
   *
   * @param podName the pod's name, empty for a pod template
   * @param mirror the pod itself if a node runs it on its own, else null
   */
  private static void validatePodSpec(Value given, String podName, @Nullable Value mirror) {
    Value spec = given.present() ? given : given.holding(MapNode.EMPTY);
    Map<String, Value> volumes = VolumeRules.validateVolumes(spec.get("volumes"), podName);
    PodClaimRules.validatePodResourceClaims(spec.get("resourceClaims"), mirror);
    ContainerRules containers = new ContainerRules(spec, volumes, !podName.isEmpty());
    containers.validateContainers();
    ResourceRules.validatePodResources(spec);
    containers.validateHostNetworkPorts();
    spec.declared("restartPolicy", "dnsPolicy");
    Labels.validateLabels(spec.get("nodeSelector"));
    SecurityRules.validatePodSecurityContext(spec);
    SchedulingRules.validateAffinity(spec.get("affinity"));
    validatePodDnsConfig(spec);
    for (Value gate : spec.get("readinessGates")) {
      Labels.validateLabelName(gate.get("conditionType"));
    }
    SchedulingRules.validateSchedulingGates(spec.get("schedulingGates"));
    SchedulingRules.validateTopologySpreadConstraints(spec.get("topologySpreadConstraints"));
    WindowsRules.validateWindowsHostProcess(spec);
    validateHostUsers(spec);
    validatePodHostName(spec);
    spec.get("serviceAccountName").dnsSubdomain();
    spec.get("nodeName").dnsSubdomain();
    spec.get("activeDeadlineSeconds").range(1, Integer.MAX_VALUE);
    spec.get("hostname").dnsLabel();
    spec.get("subdomain").dnsLabel();
    for (Value toleration : spec.get("tolerations")) {
      SchedulingRules.validateToleration(toleration);
    }
    validateHostAliases(spec.get("hostAliases"));
    spec.get("priorityClassName").dnsSubdomain();
    GivenText.validate(spec.get("runtimeClassName"), Formats.DNS_SUBDOMAIN);
    GivenText.validateFilled(spec.get("preemptionPolicy"), "PreemptLowerPriority", "Never");
    ResourceRules.validateOverhead(spec);
    WindowsRules.validateOs(spec);
    EnvironmentRules.validateFileVolumes(spec);
    spec.declared();
  }

  private static void validateHostUsers(Value spec) {
    Value users = spec.get("hostUsers");
    if (users.absent() || users.flag()) {
      return;
    }
    // two of the fields begin with a capital in Kubernetes' messages
    for (String[] field :
        new String[][] {
          {"hostNetwork", "hostNetwork"}, {"hostPID", "HostPID"}, {"hostIPC", "HostIPC"}
        }) {
      if (spec.get(field[0]).flag()
          && !(field[0].equals("hostNetwork") && wasOnHostNetwork(spec))) {
        spec.get(field[1]).forbidden(WITHOUT_HOST_USERS);
      }
    }
    for (String list : new String[] {"initContainers", "containers", "ephemeralContainers"}) {
      for (Value container : spec.get(list)) {
        Value devices = container.get("volumeDevices");
        if (devices.size() > 0 && !hadDevices(spec)) {
          devices.forbidden(WITHOUT_HOST_USERS);
        }
      }
    }
  }

  /** A pod that was stored with its own users on the host's network may keep both. */
  private static boolean wasOnHostNetwork(Value spec) {
    Value old = spec.holding(spec.before());
    return old.get("hostNetwork").flag()
        && old.get("hostUsers").present()
        && !old.get("hostUsers").flag();
  }

  /** A pod that was stored with its own users and devices may keep both. */
  private static boolean hadDevices(Value spec) {
    Value old = spec.holding(spec.before());
    if (old.get("hostUsers").absent() || old.get("hostUsers").flag()) {
      return false;
    }
    for (String list : new String[] {"initContainers", "containers", "ephemeralContainers"}) {
      for (Value container : old.get(list)) {
        if (container.get("volumeDevices").size() > 0) {
          return true;
        }
      }
    }
    return false;
  }

  private static void validatePodHostName(Value spec) {
    Value name = spec.get("hostnameOverride");
    if (name.absent()) {
      return;
    }
    if (spec.get("setHostnameAsFQDN").flag()) {
      name.forbidden("may not be specified when setHostnameAsFQDN is true");
    }
    if (spec.get("hostNetwork").flag()) {
      name.forbidden("may not be specified when hostNetwork is true");
    }
    if (name.text().length() > LONGEST_HOST_NAME) {
      name.tooLong(LONGEST_HOST_NAME);
    }
    String problem = Names.dnsSubdomain(name.text());
    if (!problem.isEmpty()) {
      name.invalid(problem);
    }
  }

  private static void validatePodDnsConfig(Value spec) {
    Value config = spec.get("dnsConfig");
    Value servers = config.get("nameservers");
    if (spec.get("dnsPolicy").is("None")) {
      if (config.absent()) {
        config.required("must provide `dnsConfig` when `dnsPolicy` is None");
        return;
      } else if (servers.size() == 0) {
        servers.required("must provide at least one DNS nameserver when `dnsPolicy` is None");
        return;
      }
    }
    if (config.absent()) {
      return;
    }
    if (servers.size() > NAME_SERVERS) {
      servers.invalid("must not have more than " + NAME_SERVERS + " nameservers");
    }
    for (Value server : servers) {
      server.orEmpty().ip();
    }
    Value searches = config.get("searches");
    if (searches.size() > SEARCH_PATHS) {
      searches.invalid("must not have more than " + SEARCH_PATHS + " search paths");
    }
    int characters = Math.max(0, searches.size() - 1);
    for (Value search : searches) {
      characters += search.text().length();
    }
    if (characters > SEARCH_CHARACTERS) {
      searches.invalid(
          "must not have more than "
              + SEARCH_CHARACTERS
              + " characters (including spaces) in the search list");
    }
    for (Value search : searches) {
      validateDnsSearch(search);
    }
    for (Value option : config.get("options")) {
      if (!option.get("name").filled()) {
        option.required("must not be empty");
      }
    }
  }

  private static void validateDnsSearch(Value search) {
    String domain = search.text();
    if (domain.equals(".")) {
      return;
    }
    if (domain.endsWith(".")) {
      domain = domain.substring(0, domain.length() - 1);
    }
    String length = domain.length() > 253 ? "must be no more than 253 characters" : "";
    String problem =
        Names.lines(
            length, domain.length() <= 2048 && SEARCH.matcher(domain).matches() ? "" : NO_SEARCH);
    if (!problem.isEmpty()) {
      search.invalid(domain, problem);
    }
  }

  private static void validateHostAliases(Value aliases) {
    for (Value alias : aliases) {
      alias.get("ip").orEmpty().ip();
      for (Value host : alias.get("hostnames")) {
        String hostProblem = Names.dnsSubdomain(host.text());
        if (!hostProblem.isEmpty()) {
          host.invalid(hostProblem);
        }
      }
    }
  }

  @Override
  public void warnOnCreate(Value object, Consumer<String> warnings) {
    PodWarnings.warnAboutName(object, "this is used in the Pod's hostname", warnings);
    warnOnUpdate(object, warnings);
  }

  @Override
  public void warnOnUpdate(Value object, Consumer<String> warnings) {
    PodWarnings.warnAboutPod(object, warnings);
  }

  @Override
  public void warnOnStatusUpdate(Value object, Consumer<String> warnings) {
    for (String list : new String[] {"podIPs", "hostIPs"}) {
      for (Value address : object.get("status", list)) {
        AddressWarnings.warnAboutIp(address.get("ip"), warnings);
      }
    }
  }
}
