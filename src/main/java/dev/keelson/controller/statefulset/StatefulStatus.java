package dev.keelson.controller.statefulset;

import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.List;

/** The status that the pods of a StatefulSet make. */
final class StatefulStatus {

  private final StatefulSet set;
  private final String updateRevision;
  private final int collisions;
  private String currentRevision;
  private int replicas;
  private int ready;
  private int available;
  private int current;
  private int updated;

  StatefulStatus(
      StatefulSet set,
      List<PodFacts> pods,
      String currentRevision,
      String updateRevision,
      int collisions,
      Instant now) {
    this.set = set;
    this.currentRevision = currentRevision;
    this.updateRevision = updateRevision;
    this.collisions = collisions;
    for (PodFacts pod : pods) {
      replicas++;
      boolean running = pod.phase().equals("Running") && pod.ready();
      ready += running ? 1 : 0;
      available += running && pod.available(set.minReady(), now) ? 1 : 0;
      String revision = pod.labels().getOrDefault(StatefulPods.REVISION, "");
      current += !pod.deleting() && revision.equals(currentRevision) ? 1 : 0;
      updated += !pod.deleting() && revision.equals(updateRevision) ? 1 : 0;
    }
  }

  /** A pod of the current revision goes for an update. */
  void updating() {
    current--;
  }

  int available() {
    return available;
  }

  /** Ends a rolling update when all pods have the new revision. */
  void complete() {
    int wanted = set.replicas();
    if (!set.updatesOnDelete() && updated == wanted && ready == wanted && replicas == wanted) {
      current = updated;
      currentRevision = updateRevision;
    }
  }

  /** Whether the stored status tells something else. */
  boolean differs() {
    MapNode stored = set.status();
    return !(stored.get("observedGeneration") instanceof Node.Int seen
            && seen.value() >= set.meta().generation())
        || Numbers.of(stored, "replicas", 0) != replicas
        || Numbers.of(stored, "readyReplicas", 0) != ready
        || Numbers.of(stored, "availableReplicas", 0) != available
        || Numbers.of(stored, "currentReplicas", 0) != Math.max(0, current)
        || Numbers.of(stored, "updatedReplicas", 0) != updated
        || !stored.text("currentRevision").equals(currentRevision)
        || !stored.text("updateRevision").equals(updateRevision);
  }

  MapNode node() {
    MapNode.Builder status =
        MapNode.builder(9)
            .put("observedGeneration", new Node.Int(set.meta().generation()))
            .put("replicas", new Node.Int(replicas))
            .put("availableReplicas", new Node.Int(available))
            .put("currentRevision", Node.text(currentRevision))
            .put("updateRevision", Node.text(updateRevision))
            .put("collisionCount", new Node.Int(collisions));
    put(status, "readyReplicas", ready);
    put(status, "currentReplicas", Math.max(0, current));
    put(status, "updatedReplicas", updated);
    return status.build();
  }

  private static void put(MapNode.Builder status, String key, int number) {
    if (number != 0) {
      status.put(key, new Node.Int(number));
    }
  }
}
