package dev.keelson.scheduler;

import dev.keelson.controller.fit.Resources;
import dev.keelson.value.Uid;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** A node and the pods on it. Confined to the lock of the scheduler. */
final class Room {

  private NodeView node;
  private final Map<Uid, PodView> pods = new LinkedHashMap<>();
  private Resources used = Resources.NONE;
  private long scoredCpu;
  private long scoredMemory;

  Room(NodeView node) {
    this.node = node;
  }

  /** Replaces the state of the node. */
  void replace(NodeView next) {
    node = next;
  }

  NodeView node() {
    return node;
  }

  /** What the pods request. */
  Resources used() {
    return used;
  }

  /** What the pods count for in comparisons of nodes, in thousandths of a processor. */
  long scoredCpu() {
    return scoredCpu;
  }

  /** What the pods count for in comparisons of nodes, in bytes. */
  long scoredMemory() {
    return scoredMemory;
  }

  Collection<PodView> pods() {
    return pods.values();
  }

  void add(PodView pod) {
    remove(pod.id());
    pods.put(pod.id(), pod);
    used = used.plus(pod.requests());
    scoredCpu += pod.scored().milliCpu();
    scoredMemory += pod.scored().memory();
  }

  void remove(Uid uid) {
    PodView gone = pods.remove(uid);
    if (gone != null) {
      used = used.minus(gone.requests());
      scoredCpu -= gone.scored().milliCpu();
      scoredMemory -= gone.scored().memory();
    }
  }
}
