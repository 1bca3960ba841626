package dev.keelson.schema.validation.core.pod;

import dev.keelson.api.Names;
import dev.keelson.object.Node;
import dev.keelson.schema.validation.BadValue;
import dev.keelson.schema.validation.Value;
import dev.keelson.schema.validation.ValueSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Warnings about pods and pod templates (source: pkg/api/pod/warnings.go). */
public final class PodWarnings {
  /** The use of the name of an object that creates pods. */
  public static final String NAMES_OF_PODS = "this is used in Pod names and hostnames";

  private static final String LABEL_NAME =
      ", which can result in surprising behavior; a DNS label is recommended: ";

  private PodWarnings() {}

  /** Warns about a name that is no DNS label; {@code use} says what the name is used for. */
  public static void warnAboutName(Value object, String use, Consumer<String> warnings) {
    String problem = Names.dnsLabel(object.get("metadata", "name").text());
    if (!problem.isEmpty()) {
      warnings.accept(
          "metadata.name: " + use + LABEL_NAME + "[" + problem.replace('\n', ' ') + "]");
    }
  }

  /** Warns about the pod spec {@code pod}. */
  public static void warnAboutPodSpec(Value pod, Consumer<String> warnings) {
    for (String list : new String[] {"initContainers", "containers"}) {
      for (Value container : pod.get(list)) {
        warnAboutEnv(container.get("env"), warnings);
        warnAboutPorts(container.get("ports"), warnings);
        warnAboutFractions(container.get("resources", "limits").key("memory"), warnings);
        warnAboutFractions(container.get("resources", "requests").key("memory"), warnings);
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

  private static void warnAboutEnv(Value variables, Consumer<String> warnings) {
    ValueSet names = new ValueSet();
    for (Value variable : variables) {
      Node name = variable.get("name").node();
      if (!names.add(name)) {
        warnings.accept(
            variable.path()
                + ": hides previous definition of "
                + BadValue.of(name)
                + ", which may be dropped when using apply");
      }
    }
  }

  private static void warnAboutPorts(Value ports, Consumer<String> warnings) {
    Map<Node, Value> firsts = new HashMap<>();
    for (Value port : ports) {
      Node all =
          ValueSet.tuple(
              port.get("containerPort").node(),
              port.get("protocol").node(),
              port.get("hostPort").node(),
              port.get("hostIP").node());
      Value first = firsts.putIfAbsent(all, port);
      if (first != null) {
        warnings.accept(port.path() + ": duplicate port definition with " + first.path());
      }
    }
  }

  private static void warnAboutFractions(Value amount, Consumer<String> warnings) {
    if (amount.text().endsWith("m")) {
      warnings.accept(
          amount.path()
              + ": fractional byte value "
              + BadValue.of(amount.node())
              + " is invalid, must be an integer");
    }
  }
}
