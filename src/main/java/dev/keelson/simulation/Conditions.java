package dev.keelson.simulation;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The conditions that a kubelet sets, and the generation that they are of. */
final class Conditions {

  private record Told(boolean holds, String reason, String message) {}

  private final long generation;
  private final Instant now;
  private final Map<String, Told> told = new LinkedHashMap<>();

  Conditions(ApiObject pod, Instant now) {
    this.generation = pod.meta().generation();
    this.now = now;
  }

  /** Whether the status is that of the current generation. */
  static boolean isObserved(ApiObject pod) {
    Node observed = pod.root().map("status").get("observedGeneration");
    long told = observed instanceof Node.Int generation ? generation.value() : 0;
    return told == pod.meta().generation();
  }

  /**
   * Sets a condition.
   *
   * @param message why it does not hold; not told if it does
   */
  void set(String type, boolean holds, String reason, String message) {
    boolean quiet = holds && !reason.equals("PodCompleted");
    told.put(type, new Told(holds, quiet ? "" : reason, quiet ? "" : message));
  }

  /** These conditions and those of others, with the times of the last transitions. */
  Items all(List<MapNode> before) {
    Map<String, MapNode> known = new LinkedHashMap<>();
    before.forEach(condition -> known.put(condition.text("type"), condition));
    List<Node> all = new ArrayList<>();
    told.forEach((type, next) -> all.add(condition(type, next, known.remove(type))));
    all.addAll(known.values());
    return new Items(all);
  }

  private MapNode condition(String type, Told next, @Nullable MapNode last) {
    String status = next.holds() ? "True" : "False";
    String since =
        last != null && last.text("status").equals(status)
            ? last.text("lastTransitionTime")
            : Times.text(now);
    MapNode.Builder condition =
        MapNode.builder(6).put("type", Node.text(type)).put("status", Node.text(status));
    if (generation != 0) {
      condition.put("observedGeneration", new Node.Int(generation));
    }
    if (!since.isEmpty()) {
      condition.put("lastTransitionTime", Node.text(since));
    }
    if (!next.reason().isEmpty()) {
      condition.put("reason", Node.text(next.reason()));
    }
    if (!next.message().isEmpty()) {
      condition.put("message", Node.text(next.message()));
    }
    return condition.build();
  }
}
