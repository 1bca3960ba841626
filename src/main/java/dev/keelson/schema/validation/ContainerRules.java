package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The containers of a pod: what each must keep to, and what they must not share. */
final class ContainerRules {

  private static final String ONE_SOURCE = "may not have more than one field specified at a time";
  private static final Set<String> ENV_FIELDS =
      Set.of(
          "metadata.name",
          "metadata.namespace",
          "metadata.uid",
          "spec.nodeName",
          "spec.serviceAccountName",
          "status.hostIP",
          "status.hostIPs",
          "status.podIP",
          "status.podIPs");

  /** What can be named otherwise, but not in a variable. */
  private static final Set<String> OTHER_FIELDS =
      Set.of(
          "metadata.annotations",
          "metadata.labels",
          "spec.restartPolicy",
          "spec.schedulerName",
          "status.phase");

  private static final long DEFAULT_GRACE_SECONDS = 30;
  private static final Set<String> CPU_DIVISORS = Set.of("1m", "1");
  private static final Set<String> BYTE_DIVISORS =
      Set.of("1", "1k", "1M", "1G", "1T", "1P", "1E", "1Ki", "1Mi", "1Gi", "1Ti", "1Pi", "1Ei");

  private final Value pod;
  private final Map<String, Value> volumes;
  private final boolean isPod;

  /**
   * For the containers of the pod spec {@code pod}.
   *
   * @param volumes the volumes that break no rule, by name
   * @param isPod whether it is the spec of a pod, not of a draft of pods
   */
  ContainerRules(Value pod, Map<String, Value> volumes, boolean isPod) {
    this.pod = pod;
    this.volumes = volumes;
    this.isPod = isPod;
  }

  void check() {
    Value containers = pod.declared("containers").get("containers");
    Seen names = new Seen();
    for (Value container : containers) {
      common(container);
      nameOnce(container, names);
      lifecycle(container.get("lifecycle"));
      probes(container);
      restarts(container);
      container.declared();
    }
    hostPorts(containers);
    Value inits = pod.get("initContainers");
    for (Value container : inits) {
      common(container);
      restarts(container);
      nameOnce(container, names);
      // Kubernetes looks at each by itself, and calls each the first
      hostPorts(inits.holding(new Node.Items(List.of(container.map()))));
      init(container);
      container.declared();
    }
    Seen targets = Seen.of(containers, "name");
    for (Value container : inits) {
      targets.add(container.get("name").node());
    }
    for (Value container : pod.get("ephemeralContainers")) {
      common(container);
      whitespace(container);
      nameOnce(container, names);
      ephemeral(container, targets);
      container.declared();
    }
  }

  /** Kubernetes takes the names of containers for equal even if there are none. */
  private static void nameOnce(Value container, Seen names) {
    Value name = Labels.orEmpty(container.get("name"));
    if (!names.add(name.node())) {
      name.duplicate();
    }
  }

  /** What is asked of the images of pods alone; drafts may have a blank that stands for one. */
  static void whitespace(Value container) {
    Value image = container.get("image");
    if (!image.text().equals(image.text().strip())) {
      image.invalid("must not have leading or trailing whitespace");
    }
  }

  private void common(Value container) {
    container.declared("name").get("name").dnsLabel();
    if (!container.get("image").filled()) {
      container.get("image").required();
    }
    container.declared("terminationMessagePolicy");
    ports(container.get("ports"));
    environment(container);
    mounts(container);
    container.declared("imagePullPolicy");
    ResourceRules.requirements(container.get("resources"));
    ResourceRules.claims(container.get("resources", "claims"), pod.get("resourceClaims"));
    resizePolicies(container.get("resizePolicy"));
    SecurityRules.container(container.get("securityContext"), pod.get("hostUsers"));
  }

  /** When a container is started again, by its own policy and rules. */
  private static void restarts(Value container) {
    Value policy = container.get("restartPolicy");
    Value rules = container.get("restartPolicyRules");
    if (policy.absent() && rules.size() > 0) {
      policy.required("must specify restartPolicy when restart rules are used");
    }
    if (policy.present() && !policy.filled()) {
      policy.unsupported("Always", "Never", "OnFailure");
    }
    container.declared("restartPolicy");
    for (Value rule : rules) {
      rule.declared("action");
      Value operator = rule.get("exitCodes", "operator");
      if (rule.get("exitCodes").present() && !operator.filled()) {
        operator.unsupported("In", "NotIn");
      }
      rule.declared();
    }
  }

  private void resizePolicies(Value policies) {
    Seen resources = new Seen();
    for (Value policy : policies) {
      Value resource = policy.get("resourceName");
      if (!resources.add(resource.node())) {
        policy.duplicate(resource.text());
      }
      // Kubernetes names the list, not the entry
      oneOf(policies, resource.text(), "cpu", "memory");
      Value restart = policy.get("restartPolicy");
      oneOf(policies, restart.text(), "NotRequired", "RestartContainer");
      if (pod.get("restartPolicy").is("Never") && !restart.is("NotRequired")) {
        policies.invalid(restart.text(), "must be 'NotRequired' when `restartPolicy` is 'Never'");
      }
    }
  }

  private static void oneOf(Value shownAt, String text, String... known) {
    if (text.isEmpty()) {
      shownAt.required();
    } else if (!java.util.List.of(known).contains(text)) {
      shownAt.unsupportedText(text, known);
    }
  }

  private void init(Value container) {
    if (container.get("restartPolicy").is("Always")) {
      lifecycle(container.get("lifecycle"));
      probes(container);
      return;
    }
    for (String field :
        new String[] {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      if (container.get(field).present()) {
        container
            .get(field)
            .forbidden("may not be set for init containers without restartPolicy=Always");
      }
    }
  }

  private static void ephemeral(Value container, Seen targets) {
    Value target = container.get("targetContainerName");
    if (target.filled() && !targets.has(target.node())) {
      target.notFound();
    }
    for (String field :
        new String[] {
          "ports",
          "resources",
          "resizePolicy",
          "restartPolicy",
          "restartPolicyRules",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle"
        }) {
      Value value = container.get(field);
      boolean pointer = field.endsWith("Probe") || field.equals("lifecycle");
      if (value.filled() || value.present() && pointer) {
        value.forbidden("cannot be set for an Ephemeral Container");
      }
    }
    for (Value mount : container.get("volumeMounts")) {
      for (String field : new String[] {"subPath", "subPathExpr"}) {
        if (mount.get(field).filled()) {
          mount.get(field).forbidden("cannot be set for an Ephemeral Container");
        }
      }
    }
  }

  // ports

  private static void ports(Value ports) {
    Set<String> names = null;
    for (Value port : ports) {
      Value name = port.get("name");
      String problem = name.filled() ? Formats.PORT_NAME.apply(name.text()) : "";
      if (!problem.isEmpty()) {
        name.invalid(problem);
      } else if (name.filled()) {
        names = names == null ? new HashSet<>() : names;
        if (!names.add(name.text())) {
          name.duplicate();
        }
      }
      Value number = port.get("containerPort");
      if (number.number() == 0) {
        number.required();
      } else {
        number.port();
      }
      if (port.get("hostPort").number() != 0) {
        port.get("hostPort").port();
      }
      port.declared();
    }
  }

  /** On the host's network a port of the container is one of the host. */
  void hostNetworkPorts() {
    if (!pod.get("hostNetwork").flag()) {
      return;
    }
    for (Value container : pod.get("containers")) {
      for (Value port : container.get("ports")) {
        Value host = zeroOr(port.get("hostPort"));
        if ((isPod || host.number() != 0) && host.number() != port.get("containerPort").number()) {
          host.invalid("must match `containerPort` when `hostNetwork` is true");
        }
      }
    }
  }

  private static void hostPorts(Value containers) {
    Set<String> taken = null;
    for (Value container : containers) {
      for (Value port : container.get("ports")) {
        Value host = port.get("hostPort");
        if (host.number() == 0) {
          continue;
        }
        String protocol = port.get("protocol").filled() ? port.get("protocol").text() : "TCP";
        String key = protocol + "/" + port.get("hostIP").text() + "/" + host.number();
        taken = taken == null ? new HashSet<>() : taken;
        if (!taken.add(key)) {
          host.duplicate(key);
        }
      }
    }
  }

  // environment

  private static void environment(Value container) {
    for (Value variable : container.get("env")) {
      variable.declared("name").get("name").as(Formats.ENV_NAME);
      if (variable.get("valueFrom").present()) {
        source(variable.get("valueFrom"), variable.get("value").filled());
      }
      variable.declared();
    }
    for (Value from : container.get("envFrom")) {
      from.get("prefix").as(Formats.ENV_NAME);
      int sources = 0;
      for (String kind : new String[] {"configMapRef", "secretRef"}) {
        if (from.get(kind).present()) {
          sources++;
          Value name = from.get(kind, "name").needed();
          if (name.filled()) {
            // a name as a prefix of one: it may end in a dash
            boolean dash = name.text().length() > 1 && name.text().endsWith("-");
            String checked =
                dash ? name.text().substring(0, name.text().length() - 2) + "a" : name.text();
            String problem = Formats.DNS_SUBDOMAIN.apply(checked);
            if (!problem.isEmpty()) {
              name.invalid(problem);
            }
          }
        }
      }
      // Kubernetes names the list, not the entry
      if (sources == 0) {
        container.get("envFrom").invalid("", "must specify one of: `configMapRef` or `secretRef`");
      } else if (sources > 1) {
        container.get("envFrom").invalid("", ONE_SOURCE);
      }
    }
  }

  private static void source(Value from, boolean alsoValue) {
    int sources = 0;
    if (from.get("fieldRef").present()) {
      sources++;
      fieldRef(from.get("fieldRef"), from.get("fieldRef"), ENV_FIELDS);
    }
    if (from.get("resourceFieldRef").present()) {
      sources++;
      resourceField(from.get("resourceFieldRef"), from.get("resourceFieldRef"), false);
    }
    for (String kind : new String[] {"configMapKeyRef", "secretKeyRef"}) {
      if (from.get(kind).present()) {
        sources++;
        Value name = Labels.orEmpty(from.get(kind, "name"));
        String problem = Formats.DNS_SUBDOMAIN.apply(name.text());
        if (!problem.isEmpty()) {
          name.invalid(problem);
        }
        from.get(kind, "key").needed().as(Formats.CONFIG_KEY);
      }
    }
    if (from.get("fileKeyRef").present()) {
      sources++;
      from.get("fileKeyRef").declared();
    }
    if (sources == 0) {
      from.invalid(
          "",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or"
              + " `secretKeyRef`");
    } else if (alsoValue) {
      from.invalid("", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      from.invalid("", ONE_SOURCE);
    }
  }

  /** A field of the pod; what is wrong is said at {@code shownAt}. */
  static void fieldRef(Value ref, Value shownAt, Set<String> supported) {
    Value path = shownAt.get("fieldPath");
    String text = ref.get("fieldPath").text();
    if (text.isEmpty()) {
      path.required();
      return;
    }
    Value version = ref.get("apiVersion");
    if (text.equals("spec.host")) {
      // what clients of old said for it
      text = "spec.nodeName";
    }
    int bracket = text.indexOf('[');
    boolean subscript = bracket > 0 && text.startsWith("'", bracket + 1) && text.endsWith("']");
    String map = subscript ? text.substring(0, bracket) : "";
    if (version.filled() && !version.is("v1")) {
      path.invalid(text, "error converting fieldPath: unsupported pod version: " + version.text());
    } else if (map.equals("metadata.labels") || map.equals("metadata.annotations")) {
      String key = text.substring(bracket + 2, text.length() - 2);
      String shown =
          map.equals("metadata.annotations") ? key.toLowerCase(java.util.Locale.ROOT) : key;
      String problem = Formats.QUALIFIED_NAME.apply(shown);
      if (!problem.isEmpty()) {
        shownAt.invalid(shown, problem);
      }
    } else if (subscript) {
      path.invalid(
          text, "error converting fieldPath: field label does not support subscript: " + text);
    } else if (!supported.contains(text)) {
      if (OTHER_FIELDS.contains(text) || ENV_FIELDS.contains(text)) {
        path.unsupportedText(text, supported.toArray(String[]::new));
      } else {
        path.invalid(text, "error converting fieldPath: field label not supported: " + text);
      }
    }
  }

  /** A resource of a container; what is wrong is said at {@code shownAt}. */
  static void resourceField(Value ref, Value shownAt, boolean inVolume) {
    String text = ref.get("resource").text();
    boolean hugePages =
        text.startsWith("requests.hugepages-") || text.startsWith("limits.hugepages-");
    if (inVolume && !ref.get("containerName").filled()) {
      shownAt.get("containerName").required();
    } else if (text.isEmpty()) {
      shownAt.get("resource").required();
    } else if (!hugePages) {
      shownAt
          .get("resource")
          .holding(Node.text(text))
          .oneOf(
              "limits.cpu",
              "limits.ephemeral-storage",
              "limits.memory",
              "requests.cpu",
              "requests.ephemeral-storage",
              "requests.memory");
    }
    divisor(ref.get("divisor"), text, shownAt.get("divisor"));
  }

  private static void divisor(Value divisor, String resource, Value shownAt) {
    String text = Amount.shown(divisor);
    if (text.isEmpty() || text.equals("0")) {
      return;
    }
    String kind =
        switch (resource) {
          case "limits.cpu", "requests.cpu" -> "cpu";
          case "limits.memory", "requests.memory" -> "memory";
          case "limits.ephemeral-storage", "requests.ephemeral-storage" ->
              "local ephemeral storage";
          default -> resource.contains(".hugepages-") ? "hugepages" : "";
        };
    if (kind.equals("cpu") && !CPU_DIVISORS.contains(text)) {
      shownAt.invalid(
          resource, "only divisor's values 1m and 1 are supported with the cpu resource");
    } else if (!kind.isEmpty() && !kind.equals("cpu") && !BYTE_DIVISORS.contains(text)) {
      shownAt.invalid(
          resource,
          "only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are"
              + " supported with the "
              + kind
              + " resource");
    }
  }

  // mounts

  private void mounts(Value container) {
    Value mounts = container.get("volumeMounts");
    Value devices = container.get("volumeDevices");
    boolean privileged = container.get("securityContext", "privileged").flag();
    Seen paths = new Seen();
    Seen deviceNames = Seen.of(devices, "name");
    Seen devicePaths = Seen.of(devices, "devicePath");
    for (Value mount : mounts) {
      Value name = Labels.orEmpty(mount.get("name")).needed();
      Value volume = volume(name);
      if (volume == null) {
        name.notFound();
      }
      Value path = Labels.orEmpty(mount.declared("mountPath").get("mountPath"));
      if (!paths.add(path.node())) {
        path.invalid("must be unique");
      }
      if (deviceNames.has(name.node())) {
        name.invalid("must not already exist in volumeDevices");
      }
      if (devicePaths.has(path.node())) {
        path.invalid("must not already exist as a path in volumeDevices");
      }
      subPaths(mount, mounts, volume != null && volume.get("image").present());
      propagation(mount.get("mountPropagation"), mounts.get("mountPropagation"), privileged);
      readOnlyBelow(mount, mounts.get("recursiveReadOnly"));
    }
    devices(devices, mounts);
  }

  private static void subPaths(Value mount, Value mounts, boolean image) {
    Value path = mount.get("subPath");
    Value expression = mount.get("subPathExpr");
    if (image) {
      for (Value each : new Value[] {path, expression}) {
        if (each.filled()) {
          each.invalid("not allowed in image volume sources");
        }
      }
    }
    // Kubernetes names the list, not the mount
    mounts.get("subPath").holding(path.node()).as(Formats.RELATIVE_PATH);
    if (path.filled() && expression.filled()) {
      expression.invalid("subPathExpr and subPath are mutually exclusive");
    }
    mounts.get("subPathExpr").holding(expression.node()).as(Formats.RELATIVE_PATH);
  }

  private static void propagation(Value propagation, Value shownAt, boolean privileged) {
    Value shown = shownAt.holding(propagation.node());
    if (propagation.present() && !propagation.filled()) {
      shown.unsupported("Bidirectional", "HostToContainer", "None");
    }
    shown.oneOf("Bidirectional", "HostToContainer", "None");
    if (propagation.is("Bidirectional") && !privileged) {
      shownAt.forbidden(
          "Bidirectional mount propagation is available only to privileged containers");
    }
  }

  private static void readOnlyBelow(Value mount, Value shownAt) {
    Value mode = mount.get("recursiveReadOnly");
    if (mode.absent() || mode.is("Disabled")) {
      return;
    }
    if (!mode.is("Enabled") && !mode.is("IfPossible")) {
      shownAt.holding(mode.node()).unsupported("Disabled", "Enabled", "IfPossible");
      return;
    }
    if (!mount.get("readOnly").flag()) {
      shownAt.forbidden("may only be specified when readOnly is true");
    }
    Value propagation = mount.get("mountPropagation");
    if (propagation.present() && !propagation.is("None")) {
      shownAt.forbidden("may only be specified when mountPropagation is None or not specified");
    }
  }

  private void devices(Value devices, Value mounts) {
    Seen names = new Seen();
    Seen paths = new Seen();
    Seen mountNames = Seen.of(mounts, "name");
    Seen mountPaths = Seen.of(mounts, "mountPath");
    for (Value device : devices) {
      Value name = Labels.orEmpty(device.get("name")).needed();
      Value path = Labels.orEmpty(device.get("devicePath"));
      if (names.has(name.node())) {
        name.invalid("must be unique");
      }
      Value source = volume(name);
      if (source == null) {
        name.notFound();
      } else if (source.get("persistentVolumeClaim").absent() && source.get("ephemeral").absent()) {
        name.invalid(
            "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
      }
      device.declared("devicePath");
      if (paths.has(path.node())) {
        path.invalid("must be unique");
      }
      if (!Formats.NO_PARENT.apply(path.text()).isEmpty()) {
        path.invalid("can not contain backsteps ('..')");
      } else {
        paths.add(path.node());
      }
      if (mountNames.has(name.node())) {
        name.invalid("must not already exist in volumeMounts");
      }
      if (mountPaths.has(path.node())) {
        path.invalid("must not already exist as a path in volumeMounts");
      }
      if (name.filled()) {
        names.add(name.node());
      }
    }
  }

  private @Nullable Value volume(Value name) {
    return volumes.get(name.text());
  }

  // probes and hooks

  private void lifecycle(Value lifecycle) {
    handler(lifecycle.get("postStart"), true);
    handler(lifecycle.get("preStop"), true);
  }

  private void probes(Value container) {
    for (String kind : new String[] {"livenessProbe", "readinessProbe", "startupProbe"}) {
      Value probe = container.get(kind);
      if (probe.absent()) {
        continue;
      }
      handler(probe, false);
      for (String field :
          new String[] {
            "initialDelaySeconds",
            "timeoutSeconds",
            "periodSeconds",
            "successThreshold",
            "failureThreshold"
          }) {
        probe.get(field).notNegative();
      }
      Value grace = probe.get("terminationGracePeriodSeconds");
      grace.positive();
      if (kind.equals("readinessProbe")) {
        if (grace.present()) {
          grace.invalid("must not be set for readinessProbes");
        }
      } else {
        Value threshold = probe.get("successThreshold");
        if (threshold.number() > 1 || threshold.number() < 0) {
          threshold.invalid("must be 1");
        }
      }
    }
  }

  private void handler(Value handler, boolean hook) {
    if (handler.absent()) {
      return;
    }
    int handlers = 0;
    String[] kinds =
        hook
            ? new String[] {"exec", "httpGet", "tcpSocket", "sleep"}
            : new String[] {"exec", "httpGet", "tcpSocket", "grpc"};
    for (String kind : kinds) {
      Value action = handler.get(kind);
      if (action.present()) {
        handlers++;
        if (handlers > 1) {
          action.forbidden("may not specify more than 1 handler type");
        } else {
          action(kind, action);
        }
      }
    }
    if (handlers == 0) {
      handler.required("must specify a handler type");
    }
  }

  private void action(String kind, Value action) {
    switch (kind) {
      case "exec" -> action.get("command").needed();
      case "httpGet" -> {
        action.get("path").needed();
        portReference(action.get("port"));
        action.declared("scheme");
        for (Value header : action.get("httpHeaders")) {
          String problem = Formats.HEADER_NAME.apply(header.get("name").text());
          if (!problem.isEmpty()) {
            action.get("httpHeaders").invalid(header.get("name").text(), problem);
          }
        }
      }
      case "tcpSocket" -> portReference(action.get("port"));
      case "grpc" -> zeroOr(action.get("port")).port();
      default -> sleep(action);
    }
  }

  private void sleep(Value sleep) {
    Value grace = pod.get("terminationGracePeriodSeconds");
    long most = grace.present() ? grace.number() : DEFAULT_GRACE_SECONDS;
    long seconds = sleep.get("seconds").number();
    if (seconds < 0 || seconds > most) {
      sleep
          .holding(new Node.Int(seconds))
          .invalid(
              "must be non-negative and less than terminationGracePeriodSeconds (" + most + ")");
    }
  }

  /** A port by number or by name. */
  static void portReference(Value port) {
    if (port.isText()) {
      String problem = Formats.PORT_NAME.apply(port.text());
      if (!problem.isEmpty()) {
        port.invalid(problem);
      }
    } else {
      zeroOr(port).port();
    }
  }

  /** An absent number as the zero that it stands for. */
  static Value zeroOr(Value number) {
    return number.present() ? number : number.holding(new Node.Int(0));
  }
}
