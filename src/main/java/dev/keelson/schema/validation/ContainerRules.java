package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import java.util.HashSet;
import java.util.Set;

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

  private final Value pod;
  private final Value volumes;

  /** For the containers of the pod spec {@code pod}. */
  ContainerRules(Value pod) {
    this.pod = pod;
    this.volumes = pod.get("volumes");
  }

  void check() {
    Value containers = pod.get("containers");
    Value inits = pod.get("initContainers");
    for (Value container : containers) {
      common(container);
      lifecycle(container.get("lifecycle"));
      probes(container);
    }
    containers.uniqueBy("name");
    hostPorts(containers);
    for (Value container : inits) {
      common(container);
      init(container);
      sharesName(container, containers);
    }
    inits.uniqueBy("name");
    Value ephemeral = pod.get("ephemeralContainers");
    for (Value container : ephemeral) {
      ephemeral(container, containers, inits);
    }
    ephemeral.uniqueBy("name");
  }

  private static void sharesName(Value container, Value others) {
    for (Value other : others) {
      Value name = container.get("name");
      if (name.filled() && name.sameAs(other.get("name"))) {
        name.duplicate();
      }
    }
  }

  private void common(Value container) {
    container.get("name").dnsLabel();
    Value image = container.get("image").needed();
    if (!image.text().isEmpty() && !image.text().equals(image.text().strip())) {
      image.invalid("must not have leading or trailing whitespace");
    }
    ports(container.get("ports"));
    environment(container);
    mounts(container);
    ResourceRules.requirements(container.get("resources"));
    SecurityRules.container(container.get("securityContext"));
    Value policies = container.get("resizePolicy");
    for (Value policy : policies) {
      policy.get("resourceName").oneOf("cpu", "memory");
    }
    policies.uniqueBy("resourceName");
  }

  private static void init(Value container) {
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

  private void ephemeral(Value container, Value containers, Value inits) {
    common(container);
    sharesName(container, containers);
    sharesName(container, inits);
    for (String field :
        new String[] {
          "ports",
          "livenessProbe",
          "readinessProbe",
          "startupProbe",
          "lifecycle",
          "resources",
          "resizePolicy"
        }) {
      if (container.get(field).filled()) {
        container.get(field).forbidden("cannot be set for an Ephemeral Container");
      }
    }
    for (Value mount : container.get("volumeMounts")) {
      for (String field : new String[] {"subPath", "subPathExpr"}) {
        if (mount.get(field).filled()) {
          mount.get(field).forbidden("cannot be set for an Ephemeral Container");
        }
      }
    }
    Value target = container.get("targetContainerName");
    if (target.filled() && !named(containers, target) && !named(inits, target)) {
      target.notFound();
    }
  }

  private static boolean named(Value containers, Value name) {
    for (Value container : containers) {
      if (container.get("name").sameAs(name)) {
        return true;
      }
    }
    return false;
  }

  // ports

  private static void ports(Value ports) {
    for (Value port : ports) {
      port.get("name").as(Formats.PORT_NAME);
      Value number = port.get("containerPort");
      if (number.number() == 0) {
        number.required();
      } else {
        number.port();
      }
      if (port.get("hostPort").number() != 0) {
        port.get("hostPort").port();
      }
    }
    ports.uniqueBy("name");
  }

  private void hostPorts(Value containers) {
    boolean hostNetwork = pod.get("hostNetwork").flag();
    Set<String> taken = null;
    for (Value container : containers) {
      for (Value port : container.get("ports")) {
        Value host = port.get("hostPort");
        if (host.number() == 0) {
          continue;
        }
        if (hostNetwork && !host.sameAs(port.get("containerPort"))) {
          port.get("containerPort").invalid("must match `hostPort` when `hostNetwork` is true");
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
      variable.get("name").as(Formats.ENV_NAME);
      if (variable.get("valueFrom").present()) {
        source(variable.get("valueFrom"), variable.get("value").filled());
      }
    }
    for (Value from : container.get("envFrom")) {
      from.get("prefix").as(Formats.ENV_NAME);
      int sources = 0;
      for (String kind : new String[] {"configMapRef", "secretRef"}) {
        if (from.get(kind).present()) {
          sources++;
          from.get(kind, "name").needed();
        }
      }
      if (sources == 0) {
        from.invalid("", "must specify one of: `configMapRef` or `secretRef`");
      } else if (sources > 1) {
        from.invalid("", ONE_SOURCE);
      }
    }
  }

  private static void source(Value from, boolean alsoValue) {
    int sources = 0;
    if (from.get("fieldRef").present()) {
      sources++;
      fieldRef(from.get("fieldRef"), ENV_FIELDS);
    }
    if (from.get("resourceFieldRef").present()) {
      sources++;
      resourceField(from.get("resourceFieldRef"), false);
    }
    for (String kind : new String[] {"configMapKeyRef", "secretKeyRef"}) {
      if (from.get(kind).present()) {
        sources++;
        from.get(kind, "name").needed();
        from.get(kind, "key").as(Formats.CONFIG_KEY);
      }
    }
    if (from.get("fileKeyRef").present()) {
      sources++;
    }
    if (sources == 0) {
      from.invalid(
          "",
          "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`");
    } else if (alsoValue) {
      from.invalid("", "may not be specified when `value` is not empty");
    } else if (sources > 1) {
      from.invalid("", ONE_SOURCE);
    }
  }

  static void fieldRef(Value ref, Set<String> supported) {
    Value path = ref.get("fieldPath");
    String text = path.text();
    if (text.isEmpty()) {
      return;
    }
    int bracket = text.indexOf('[');
    if (bracket > 0 && text.endsWith("']") && text.startsWith("'", bracket + 1)) {
      String key = text.substring(bracket + 2, text.length() - 2);
      String map = text.substring(0, bracket);
      if (map.equals("metadata.labels") || map.equals("metadata.annotations")) {
        String problem =
            Formats.QUALIFIED_NAME.apply(
                map.endsWith("s.annotations") ? key.toLowerCase(java.util.Locale.ROOT) : key);
        if (!problem.isEmpty()) {
          path.invalid(problem);
        }
      } else {
        path.invalid(map, "does not support subscript");
      }
    } else if (!supported.contains(text)) {
      if (text.equals("metadata.annotations")
          || text.equals("metadata.labels")
          || ENV_FIELDS.contains(text)) {
        path.unsupported(supported.toArray(String[]::new));
      } else {
        path.invalid("error converting fieldPath: field label not supported: " + text);
      }
    }
  }

  static void resourceField(Value ref, boolean inVolume) {
    if (inVolume) {
      ref.get("containerName").needed();
    }
    Value resource = ref.get("resource");
    String text = resource.text();
    if (!text.isEmpty()
        && !text.startsWith("requests.hugepages-")
        && !text.startsWith("limits.hugepages-")) {
      resource.oneOf(
          "limits.cpu",
          "limits.ephemeral-storage",
          "limits.memory",
          "requests.cpu",
          "requests.ephemeral-storage",
          "requests.memory");
    }
  }

  // mounts

  private void mounts(Value container) {
    Value mounts = container.get("volumeMounts");
    for (Value mount : mounts) {
      Value name = mount.get("name");
      if (name.filled() && !named(volumes, name)) {
        name.notFound();
      }
      mount.get("subPath").as(Formats.RELATIVE_PATH);
      mount.get("subPathExpr").as(Formats.RELATIVE_PATH);
      if (mount.get("subPath").filled() && mount.get("subPathExpr").filled()) {
        mount.get("subPathExpr").invalid("subPathExpr and subPath are mutually exclusive");
      }
      if (mount.get("mountPropagation").is("Bidirectional")
          && !container.get("securityContext", "privileged").flag()) {
        mount
            .get("mountPropagation")
            .forbidden(
                "Bidirectional mount propagation is available only to privileged containers");
      }
    }
    for (int i = 1; i < mounts.size(); i++) {
      Value path = mounts.at(i).get("mountPath");
      for (int j = 0; j < i; j++) {
        if (path.filled() && path.sameAs(mounts.at(j).get("mountPath"))) {
          path.invalid("must be unique");
          break;
        }
      }
    }
    devices(container.get("volumeDevices"), mounts);
  }

  private void devices(Value devices, Value mounts) {
    for (Value device : devices) {
      Value name = device.get("name");
      Value source = volume(name);
      if (source != null) {
        if (source.get("persistentVolumeClaim").absent() && source.get("ephemeral").absent()) {
          name.invalid(
              "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode");
        }
      } else if (name.filled()) {
        name.notFound();
      }
      device.get("devicePath").as(Formats.NO_PARENT);
      for (Value mount : mounts) {
        if (name.filled() && name.sameAs(mount.get("name"))) {
          name.invalid("must not already exist in volumeMounts");
        }
      }
    }
    devices.uniqueBy("devicePath");
  }

  private @org.jspecify.annotations.Nullable Value volume(Value name) {
    for (Value volume : volumes) {
      if (volume.get("name").sameAs(name)) {
        return volume;
      }
    }
    return null;
  }

  // probes and hooks

  private static void lifecycle(Value lifecycle) {
    handler(lifecycle.get("postStart"), true);
    handler(lifecycle.get("preStop"), true);
  }

  private static void probes(Value container) {
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
      if (kind.equals("readinessProbe")) {
        if (grace.present()) {
          grace.invalid("must not be set for readinessProbes");
        }
      } else {
        grace.positive();
        if (probe.get("successThreshold").number() > 1) {
          probe.get("successThreshold").invalid("must be 1");
        }
      }
    }
  }

  private static void handler(Value handler, boolean hook) {
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

  private static void action(String kind, Value action) {
    switch (kind) {
      case "exec" -> action.get("command").needed();
      case "httpGet" -> {
        action.get("path").needed();
        portReference(action.get("port"));
        for (Value header : action.get("httpHeaders")) {
          header.get("name").as(Formats.HEADER_NAME);
        }
      }
      case "tcpSocket" -> portReference(action.get("port"));
      case "grpc" -> zeroOr(action.get("port")).port();
      default -> action.get("seconds").notNegative();
    }
  }

  /** A port by number or by name. */
  static void portReference(Value port) {
    if (port.isText()) {
      String problem =
          port.text().isEmpty()
              ? "must contain at least one letter (a-z)"
              : Formats.PORT_NAME.apply(port.text());
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
