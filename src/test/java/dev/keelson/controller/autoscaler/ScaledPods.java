package dev.keelson.controller.autoscaler;

import dev.keelson.controller.autoscaler.AutoscaledPod.Container;
import dev.keelson.controller.autoscaler.AutoscaledPod.Readiness;
import dev.keelson.controller.autoscaler.MetricReadings.Sample;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Pods and their metrics for tests, as text. A pod is the first letter of its phase (R, P, F or S),
 * with {@code u} if it is not ready, {@code h} if it has just started and {@code d} if it is being
 * deleted; it has two containers.
 */
record ScaledPods(List<AutoscaledPod> pods) {

  static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  static final AutoscalerSettings SETTINGS =
      new AutoscalerSettings(
          1,
          Duration.ofSeconds(15),
          Duration.ofMinutes(5),
          0.1,
          Duration.ofMinutes(2),
          Duration.ofSeconds(10),
          /* scaleToZero= */ false);

  /** The same with the feature HPAScaleToZero. */
  static final AutoscalerSettings TO_ZERO =
      new AutoscalerSettings(
          SETTINGS.workers(),
          SETTINGS.period(),
          SETTINGS.stabilization(),
          SETTINGS.tolerance(),
          SETTINGS.cpuInitialization(),
          SETTINGS.initialReadiness(),
          /* scaleToZero= */ true);

  private static final Map<Character, String> PHASES =
      Map.of('R', "Running", 'P', "Pending", 'F', "Failed", 'S', "Succeeded");

  /**
   * Pods.
   *
   * @param states one for each pod
   * @param requests of CPU by each container, one for each pod; null for none
   */
  static ScaledPods of(String states, @Nullable String requests) {
    List<AutoscaledPod> pods = new ArrayList<>();
    String[] all = states.split(" ", -1);
    String[] cpu = requests == null ? new String[0] : requests.split(" ", -1);
    for (int i = 0; i < all.length; i++) {
      MapNode request =
          cpu.length == 0
              ? MapNode.EMPTY
              : MapNode.of("cpu", Node.text(cpu[Math.min(i, cpu.length - 1)]));
      boolean hot = all[i].contains("h");
      pods.add(
          new AutoscaledPod(
              "test-pod-" + i,
              Map.of("name", "test-pod"),
              PHASES.getOrDefault(all[i].charAt(0), ""),
              all[i].contains("d"),
              hot ? NOW : NOW.minus(Duration.ofMinutes(3)),
              new Readiness(all[i].contains("u") ? "False" : "True", Instant.EPOCH),
              MapNode.EMPTY,
              MapNode.EMPTY,
              List.of(new Container("container1", request), new Container("container2", request))));
    }
    return new ScaledPods(pods);
  }

  /**
   * The samples of the first pods.
   *
   * @param levels of both containers of a pod, or of each with a slash between them; null for none
   * @param container empty for both
   */
  static Map<String, Sample> samples(@Nullable String levels, String container) {
    Map<String, Sample> samples = new HashMap<>();
    String[] all = levels == null ? new String[0] : levels.split(" ", -1);
    for (int i = 0; i < all.length; i++) {
      String[] both = all[i].split("/", -1);
      long first = Long.parseLong(both[0]);
      long second = Long.parseLong(both[both.length - 1]);
      long value =
          switch (container) {
            case "" -> first + second;
            case "container1" -> first;
            default -> second;
          };
      Sample unused = samples.put("test-pod-" + i, sample(value));
    }
    return samples;
  }

  static Sample sample(long value) {
    return new Sample(value, Instant.EPOCH, Duration.ofMinutes(1));
  }

  ReplicaCalculator calculator(double down, double up) {
    return new ReplicaCalculator(pods, new Tolerances(down, up), SETTINGS, NOW);
  }
}
