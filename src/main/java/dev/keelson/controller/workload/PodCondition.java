package dev.keelson.controller.workload;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;

/** Makes the conditions that controllers and the scheduler write to the status of pods. */
public final class PodCondition {

  private PodCondition() {}

  /**
   * A condition that has just changed.
   *
   * @param generation the generation of the pod, its {@code observedGeneration} (KEP-5067); 0 for a
   *     pod without one
   * @param reason empty for none
   * @param message empty for none
   */
  public static MapNode of(
      String type, boolean holds, String reason, String message, long generation, Instant now) {
    MapNode.Builder condition =
        MapNode.builder(6)
            .put("type", Node.text(type))
            .put("status", Node.text(holds ? "True" : "False"))
            .put("lastTransitionTime", Node.text(Times.text(now)));
    if (!reason.isEmpty()) {
      condition.put("reason", Node.text(reason));
    }
    if (!message.isEmpty()) {
      condition.put("message", Node.text(message));
    }
    if (generation != 0) {
      condition.put("observedGeneration", new Node.Int(generation));
    }
    return condition.build();
  }
}
