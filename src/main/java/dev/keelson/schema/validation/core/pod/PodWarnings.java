package dev.keelson.schema.validation.core.pod;

import dev.keelson.api.Names;
import dev.keelson.object.Node;
import dev.keelson.schema.validation.AddressWarnings;
import dev.keelson.schema.validation.BadValue;
import dev.keelson.schema.validation.NodeLabelWarnings;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import dev.keelson.schema.validation.VolumeWarnings;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Consumer;

/** Warnings about pods and pod templates (source: pkg/api/pod/warnings.go). */
public final class PodWarnings {
  /** The use of the name of an object that creates pods. */
  public static final String NAMES_OF_PODS = "this is used in Pod names and hostnames";

  private static final String LABEL_NAME =
      ", which can result in surprising behavior; a DNS label is recommended: ";

  private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
  private static final String PREFERRED = "preferredDuringSchedulingIgnoredDuringExecution";
  private static final List<String> CONTAINERS =
      List.of("initContainers", "containers", "ephemeralContainers");

  /** Equal ports beyond it are not compared with each other. */
  private static final int MOST_COMPARED = 100;

  private static final String SYSCTLS =
      "non-functional in v1.11+; use the \"sysctls\" field instead";

  /** In Kubernetes' order. */
  private static final SequencedMap<String, String> DEPRECATED_ANNOTATIONS = annotations();

  private PodWarnings() {}

  private static SequencedMap<String, String> annotations() {
    SequencedMap<String, String> annotations = new LinkedHashMap<>();
    annotations.put(
        "scheduler.alpha.kubernetes.io/critical-pod",
        "non-functional in v1.16+; use the \"priorityClassName\" field instead");
    annotations.put("security.alpha.kubernetes.io/sysctls", SYSCTLS);
    annotations.put("security.alpha.kubernetes.io/unsafe-sysctls", SYSCTLS);
    return Collections.unmodifiableSequencedMap(annotations);
  }

  /** Warns about a name that is no DNS label; {@code use} says what the name is used for. */
  public static void warnAboutName(Value object, String use, Consumer<String> warnings) {
    String problem = Names.dnsLabel(object.get("metadata", "name").text());
    if (!problem.isEmpty()) {
      warnings.accept(
          "metadata.name: " + use + LABEL_NAME + "[" + problem.replace('\n', ' ') + "]");
    }
  }

  /** Warns about a pod. */
  static void warnAboutPod(Value pod, Consumer<String> warnings) {
    warnAboutSpecAndMeta(pod, warnings);
  }

  /** Warns about the template of pods at {@code template}. */
  public static void warnAboutTemplate(Value template, Consumer<String> warnings) {
    warnAboutSpecAndMeta(template, warnings);
    ProfileAnnotations.warnAboutAppArmor(template, warnings);
  }

  private static void warnAboutSpecAndMeta(Value pod, Consumer<String> warnings) {
    Value spec = pod.get("spec");
    Value annotations = pod.get("metadata", "annotations");
    warnAboutNodes(spec, warnings);
    for (Value constraint : spec.get("topologySpreadConstraints")) {
      NodeLabelWarnings.warnAboutLabel(constraint.get("topologyKey"), warnings);
      warnAboutSelector(constraint, warnings);
    }
    DEPRECATED_ANNOTATIONS.forEach(
        (key, message) ->
            warnIf(annotations.key(key).present(), annotations.key(key), message, warnings));
    VolumeWarnings.warnAboutVolumes(spec.get("volumes"), warnings);
    VirtualPaths.warnAboutVolumes(spec.get("volumes"), warnings);
    warnAboutDuplicates(spec.get("hostAliases"), "ip", warnings);
    warnAboutDuplicates(spec.get("imagePullSecrets"), "name", warnings);
    for (Value secret : spec.get("imagePullSecrets")) {
      if (!secret.get("name").filled()) {
        warnings.accept(secret.get("name").path() + ": invalid empty name \"\"");
      }
    }
    VolumeWarnings.warnAboutFractions(spec.get("overhead").key("memory"), warnings);
    VolumeWarnings.warnAboutFractions(spec.get("overhead").key("ephemeral-storage"), warnings);
    ProfileAnnotations.warnAboutSeccomp(annotations, spec, warnings);
    warnAboutContainers(annotations, spec, warnings);
    Value grace = spec.get("terminationGracePeriodSeconds");
    if (grace.number() < 0) {
      warnings.accept(
          grace.path() + ": must be >= 0; negative values are invalid and will be treated as 1");
    }
    for (String kind : new String[] {"podAffinity", "podAntiAffinity"}) {
      Value affinity = spec.get("affinity", kind);
      for (Value term : affinity.get(REQUIRED)) {
        warnAboutSelector(term, warnings);
      }
      for (Value term : affinity.get(PREFERRED)) {
        warnAboutSelector(term.get("podAffinityTerm"), warnings);
      }
    }
    AddressWarnings.warnAboutIps(spec.get("dnsConfig", "nameservers"), warnings);
    for (Value alias : spec.get("hostAliases")) {
      AddressWarnings.warnAboutIp(alias.get("ip"), warnings);
    }
  }

  private static void warnAboutNodes(Value spec, Consumer<String> warnings) {
    NodeLabelWarnings.warnAboutKeys(spec.get("nodeSelector"), warnings);
    Value affinity = spec.get("affinity", "nodeAffinity");
    for (Value term : affinity.get(REQUIRED, "nodeSelectorTerms")) {
      NodeLabelWarnings.warnAboutTerm(term, warnings);
    }
    for (Value term : affinity.get(PREFERRED)) {
      Value preference = term.get("preference");
      NodeLabelWarnings.warnAboutTerm(preference, warnings);
      for (Value expression : preference.get("matchExpressions")) {
        warnAboutLabelValues(expression.get("values"), warnings);
      }
    }
  }

  private static void warnAboutLabelValues(Value values, Consumer<String> warnings) {
    for (Value value : values) {
      String problem = Names.labelValue(value.text());
      if (!problem.isEmpty()) {
        for (String each : problem.split("\n", -1)) {
          warnings.accept(value.path() + ": " + value.text() + " is invalid, " + each);
        }
      }
    }
  }

  private static void warnAboutSelector(Value holder, Consumer<String> warnings) {
    Value selector = holder.get("labelSelector");
    warnIf(
        selector.absent(), selector, "a null labelSelector results in matching no pod", warnings);
  }

  private static void warnIf(
      boolean condition, Value place, String message, Consumer<String> warnings) {
    if (condition) {
      warnings.accept(place.path() + ": " + message);
    }
  }

  private static void warnAboutDuplicates(Value list, String field, Consumer<String> warnings) {
    ValueSet known = new ValueSet();
    for (Value item : list) {
      Value value = item.get(field);
      warnIf(
          !known.add(Node.text(value.text())),
          value,
          "duplicate " + field + " " + GoQuote.quote(value.text()),
          warnings);
    }
  }

  private static void warnAboutContainers(
      Value annotations, Value spec, Consumer<String> warnings) {
    for (String list : CONTAINERS) {
      for (Value container : spec.get(list)) {
        ProfileAnnotations.warnAboutSeccompOf(container, annotations, warnings);
        for (String resource : new String[] {"memory", "ephemeral-storage"}) {
          for (String part : new String[] {"limits", "requests"}) {
            VolumeWarnings.warnAboutFractions(
                container.get("resources", part).key(resource), warnings);
          }
        }
        warnAboutEnv(container.get("env"), warnings);
      }
    }
    Map<Node, List<Value>> ports = new HashMap<>();
    for (String list : CONTAINERS) {
      for (Value container : spec.get(list)) {
        warnAboutPorts(container.get("ports"), ports, warnings);
      }
    }
    warnAboutPortNames(spec, warnings);
  }

  private static void warnAboutPortNames(Value spec, Consumer<String> warnings) {
    Map<String, Value> names = new HashMap<>();
    for (String list : CONTAINERS) {
      for (Value container : spec.get(list)) {
        for (Value port : container.get("ports")) {
          String name = port.get("name").text();
          Value other = name.isEmpty() ? null : names.putIfAbsent(name, port);
          if (other != null) {
            warnings.accept(
                port.path()
                    + ": duplicate port name "
                    + GoQuote.quote(name)
                    + " with "
                    + other.path()
                    + ", services and probes that select ports by name will use "
                    + other.path());
          }
        }
      }
    }
  }

  private static void warnAboutEnv(Value variables, Consumer<String> warnings) {
    ValueSet names = new ValueSet();
    for (Value variable : variables) {
      Node name = variable.get("name").node();
      if (!names.add(name) && hides(variable)) {
        warnings.accept(
            variable.path()
                + ": hides previous definition of "
                + BadValue.of(name)
                + ", which may be dropped when using apply");
      }
    }
  }

  /** Whether a variable does not only add to its former value. */
  private static boolean hides(Value variable) {
    String reference = "$(" + variable.get("name").text() + ")";
    String value = variable.get("value").text();
    return variable.get("valueFrom").present()
        || value.equals(reference)
        || !value.contains(reference);
  }

  /**
   * Warns about ports of all containers of a pod.
   *
   * @param known the ports so far, by number and protocol
   */
  private static void warnAboutPorts(
      Value ports, Map<Node, List<Value>> known, Consumer<String> warnings) {
    for (Value port : ports) {
      boolean hostPort = port.get("hostPort").number() != 0;
      warnIf(
          port.get("hostIP").filled() && !hostPort,
          port,
          "hostIP set without hostPort: " + shown(port),
          warnings);
      List<Value> others =
          known.computeIfAbsent(
              ValueSet.tuple(port.get("containerPort").node(), port.get("protocol").node()),
              key -> new ArrayList<>(1));
      if (others.size() <= MOST_COMPARED) {
        for (Value other : others) {
          String relation = relation(port, other);
          warnIf(
              !relation.isEmpty(),
              port,
              relation + " port definition with " + other.path(),
              warnings);
        }
        others.add(port);
      }
    }
  }

  private static String relation(Value port, Value other) {
    long hostPort = port.get("hostPort").number();
    long otherPort = other.get("hostPort").number();
    String hostIp = port.get("hostIP").text();
    String otherIp = other.get("hostIP").text();
    if (hostIp.equals(otherIp) && hostPort == otherPort) {
      return "duplicate";
    }
    if (hostPort == 0 || otherPort == 0) {
      return "overlapping";
    }
    return hostPort == otherPort && hostIp.isEmpty() != otherIp.isEmpty()
        ? "dangerously ambiguous"
        : "";
  }

  /** A port as Go shows a struct. */
  private static String shown(Value port) {
    return "{Name:"
        + port.get("name").text()
        + " HostPort:"
        + port.get("hostPort").number()
        + " ContainerPort:"
        + port.get("containerPort").number()
        + " Protocol:"
        + port.get("protocol").text()
        + " HostIP:"
        + port.get("hostIP").text()
        + "}";
  }
}
