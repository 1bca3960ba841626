package dev.keelson.schema.validation;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.api.Names;
import dev.keelson.object.Node;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What is allowed and yet most likely not meant, or goes out of use: told to the client beside the
 * success (source: the warnings of Kubernetes' strategies).
 */
final class Warnings {

  private static final String LABEL_NAME =
      ", which can result in surprising behavior; a DNS label is recommended: ";

  private Warnings() {}

  /** Tells {@code warnings} about a new or changed object of the stored {@code kind}. */
  static void tell(
      GroupVersionKind kind, Value object, boolean created, Consumer<String> warnings) {
    switch (kind.kind()) {
      case "Pod" -> {
        if (created) {
          name(object, "this is used in the Pod's hostname", warnings);
        }
        pod(object.get("spec"), warnings);
      }
      case "Deployment", "ReplicaSet", "ReplicationController", "StatefulSet", "Job" -> {
        if (created) {
          name(object, "this is used in Pod names and hostnames", warnings);
        }
        pod(object.get("spec", "template", "spec"), warnings);
      }
      case "DaemonSet" -> pod(object.get("spec", "template", "spec"), warnings);
      case "CronJob" -> {
        if (created) {
          name(object, "this is used in Pod names and hostnames", warnings);
        }
        pod(object.get("spec", "jobTemplate", "spec", "template", "spec"), warnings);
      }
      case "PodTemplate" -> pod(object.get("template", "spec"), warnings);
      case "Ingress" -> {
        if (created
            && object.get("metadata", "annotations").key("kubernetes.io/ingress.class").present()) {
          warnings.accept(
              "annotation \"kubernetes.io/ingress.class\" is deprecated, please use"
                  + " 'spec.ingressClassName' instead");
        }
      }
      case "PersistentVolume" -> {
        if (object.get("spec", "persistentVolumeReclaimPolicy").is("Recycle")) {
          warnings.accept(
              "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated."
                  + " Instead, the recommended approach is to use dynamic provisioning.");
        }
      }
      case "Service" -> {
        if (object.get("spec", "externalIPs").size() > 0
            && object.get("spec", "type").is("ExternalName")) {
          warnings.accept("spec.externalIPs is ignored when spec.type is \"ExternalName\"");
        }
      }
      default -> {}
    }
  }

  private static void name(Value object, String use, Consumer<String> warnings) {
    String problem = Names.dnsLabel(object.get("metadata", "name").text());
    if (!problem.isEmpty()) {
      warnings.accept(
          "metadata.name: " + use + LABEL_NAME + "[" + problem.replace('\n', ' ') + "]");
    }
  }

  private static void pod(Value pod, Consumer<String> warnings) {
    for (String list : new String[] {"initContainers", "containers"}) {
      for (Value container : pod.get(list)) {
        environment(container.get("env"), warnings);
        ports(container.get("ports"), warnings);
        fractions(container.get("resources", "limits").key("memory"), warnings);
        fractions(container.get("resources", "requests").key("memory"), warnings);
      }
    }
    Value grace = pod.get("terminationGracePeriodSeconds");
    if (grace.number() < 0) {
      warnings.accept(
          grace.path() + ": must be >= 0; negative values are invalid and will be treated as 1");
    }
    for (Value secret : pod.get("imagePullSecrets")) {
      if (!secret.get("name").filled()) {
        warnings.accept(secret.get("name").path() + ": invalid empty name \"\"");
      }
    }
  }

  private static void environment(Value variables, Consumer<String> warnings) {
    Seen names = new Seen();
    for (Value variable : variables) {
      Node name = variable.get("name").node();
      if (!names.add(name)) {
        warnings.accept(
            variable.path()
                + ": hides previous definition of "
                + Shown.of(name)
                + ", which may be dropped when using apply");
      }
    }
  }

  private static void ports(Value ports, Consumer<String> warnings) {
    Map<List<Object>, Value> firsts = new HashMap<>();
    for (Value port : ports) {
      List<Object> all =
          Stream.of("containerPort", "protocol", "hostPort", "hostIP")
              .map(field -> Seen.key(port.get(field).node()))
              .toList();
      Value first = firsts.putIfAbsent(all, port);
      if (first != null) {
        warnings.accept(port.path() + ": duplicate port definition with " + first.path());
      }
    }
  }

  private static void fractions(Value amount, Consumer<String> warnings) {
    if (amount.text().endsWith("m")) {
      warnings.accept(
          amount.path()
              + ": fractional byte value "
              + Shown.of(amount.node())
              + " is invalid, must be an integer");
    }
  }
}
