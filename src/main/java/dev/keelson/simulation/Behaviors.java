package dev.keelson.simulation;

import dev.keelson.api.LabelSelector;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.simulation.Behavior.Delay;
import dev.keelson.simulation.Behavior.End;
import dev.keelson.value.GoDuration;
import dev.keelson.value.Quantity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How simulated nodes and the containers of their pods behave.
 *
 * @param capacity the resources of a node
 * @param rules the first whose selector matches a pod counts
 */
public record Behaviors(Map<String, String> capacity, List<Behavior> rules) {

  private static final int LONGEST_TEXT = 1 << 20;
  private static final int MOST_EXIT_CODE = 255;

  private static final Map<String, String> CAPACITY =
      Map.of("cpu", "8", "memory", "32Gi", "ephemeral-storage", "100Gi", "pods", "110");

  /** Pods become ready at once; those that may end do so after a second. */
  public static final Behaviors DEFAULT = new Behaviors(CAPACITY, List.of());

  private static final Behavior RUNS =
      new Behavior(LabelSelector.EVERYTHING, Delay.NONE, Delay.NONE, null, Printed.NOTHING);

  private static final Behavior ENDS =
      new Behavior(
          LabelSelector.EVERYTHING,
          Delay.NONE,
          Delay.NONE,
          new End(new Delay(Duration.ofSeconds(1), Duration.ZERO), 0, 1, "", false),
          Printed.NOTHING);

  public Behaviors {
    capacity = Map.copyOf(capacity);
    rules = List.copyOf(rules);
  }

  /**
   * The behavior of a pod.
   *
   * @param restartPolicy that of the pod: one that is not restarted always is expected to end
   */
  Behavior of(Map<String, String> labels, String restartPolicy) {
    for (Behavior rule : rules) {
      if (rule.selector().matches(labels)) {
        return rule;
      }
    }
    return restartPolicy.equals("Never") || restartPolicy.equals("OnFailure") ? ENDS : RUNS;
  }

  /** What the containers of a pod with these labels print. */
  public Printed printed(Map<String, String> labels) {
    return of(labels, "Always").printed();
  }

  /**
   * Reads a file of the form that {@code docs/simulated-nodes.md} describes.
   *
   * @throws IllegalArgumentException naming the field that is wrong
   */
  public static Behaviors parse(byte[] yaml) {
    if (!(ObjectReader.untypedYaml(yaml) instanceof MapNode root)) {
      throw new IllegalArgumentException("is not a YAML object");
    }
    known("", root, Set.of("node", "pods"));
    MapNode node = root.map("node");
    known("node", node, Set.of("capacity"));
    Map<String, String> capacity = new HashMap<>(CAPACITY);
    node.map("capacity")
        .forEach(
            (name, value) -> {
              String text = scalar(value);
              if (Quantity.tryParse(text).isEmpty()) {
                throw wrong("node.capacity." + name, "must be a quantity, not \"" + text + "\"");
              }
              capacity.put(name, text);
            });
    List<Behavior> rules = new ArrayList<>();
    List<Node> pods = root.items("pods");
    for (int i = 0; i < pods.size(); i++) {
      String path = "pods[" + i + "]";
      if (!(pods.get(i) instanceof MapNode rule)) {
        throw wrong(path, "must be an object");
      }
      rules.add(rule(path, rule));
    }
    return new Behaviors(capacity, rules);
  }

  private static Behavior rule(String path, MapNode rule) {
    known(path, rule, Set.of("selector", "start", "ready", "end", "log", "exec"));
    LabelSelector selector =
        Selectors.of(rule.map("selector"))
            .orElseThrow(() -> wrong(path + ".selector", "has an unknown operator"));
    return new Behavior(
        selector,
        delay(path + ".start", rule.map("start"), Set.of()),
        delay(path + ".ready", rule.map("ready"), Set.of()),
        rule.has("end") ? end(path + ".end", rule.map("end")) : null,
        printed(path, rule));
  }

  private static Printed printed(String path, MapNode rule) {
    MapNode exec = rule.map("exec");
    known(path + ".exec", exec, Set.of("output", "exitCode"));
    return new Printed(
        bounded(path + ".log", rule.text("log")),
        bounded(path + ".exec.output", exec.text("output")),
        exitCode(path + ".exec.exitCode", exec.get("exitCode"), 0, 0));
  }

  private static Delay delay(String path, MapNode delay, Set<String> others) {
    Set<String> names = new HashSet<>(others);
    names.addAll(Set.of("after", "jitter"));
    known(path, delay, names);
    return new Delay(
        duration(path + ".after", delay.text("after")),
        duration(path + ".jitter", delay.text("jitter")));
  }

  private static End end(String path, MapNode end) {
    Delay after =
        delay(path, end, Set.of("failureProbability", "exitCode", "message", "onlyFailures"));
    double probability = number(path + ".failureProbability", end.get("failureProbability"), 0);
    if (probability < 0 || probability > 1) {
      throw wrong(path + ".failureProbability", "must be from 0 to 1");
    }
    int exitCode = exitCode(path + ".exitCode", end.get("exitCode"), 1, 1);
    String message = bounded(path + ".message", end.text("message"));
    boolean onlyFailures = end.get("onlyFailures") instanceof Node.Bool only && only.value();
    return new End(after, probability, exitCode, message, onlyFailures);
  }

  private static int exitCode(String path, @Nullable Node node, int otherwise, int least) {
    double code = number(path, node, otherwise);
    if (code < least || code > MOST_EXIT_CODE || code != (int) code) {
      throw wrong(path, "must be a whole number from " + least + " to " + MOST_EXIT_CODE);
    }
    return (int) code;
  }

  private static String bounded(String path, String text) {
    if (text.length() > LONGEST_TEXT) {
      throw wrong(path, "must have at most " + LONGEST_TEXT + " characters");
    }
    return text;
  }

  private static Duration duration(String path, String text) {
    if (text.isEmpty()) {
      return Duration.ZERO;
    }
    if (!GoDuration.isDuration(text)) {
      throw wrong(path, "must be a duration such as 1s or 500ms, not \"" + text + "\"");
    }
    Duration duration = GoDuration.parse(text).toDuration();
    if (duration.isNegative()) {
      throw wrong(path, "must not be negative");
    }
    return duration;
  }

  private static double number(String path, @Nullable Node node, double otherwise) {
    return switch (node) {
      case null -> otherwise;
      case Node.Int whole -> whole.value();
      case Node.Decimal decimal -> Double.parseDouble(decimal.literal());
      default -> throw wrong(path, "must be a number");
    };
  }

  private static String scalar(Node node) {
    return switch (node) {
      case Node.Text text -> text.value();
      case Node.Int number -> Long.toString(number.value());
      case Node.Decimal decimal -> decimal.literal();
      default -> "";
    };
  }

  private static void known(String path, MapNode node, Set<String> names) {
    for (String key : node.keys()) {
      if (!names.contains(key)) {
        throw wrong(path.isEmpty() ? key : path + "." + key, "is unknown");
      }
    }
  }

  private static IllegalArgumentException wrong(String path, String what) {
    return new IllegalArgumentException(path + " " + what);
  }
}
