package dev.keelson.simulation;

import dev.keelson.controller.fit.HostPort;
import dev.keelson.controller.fit.PodRequests;
import dev.keelson.controller.fit.RequiredNodes;
import dev.keelson.controller.fit.Resources;
import dev.keelson.controller.fit.Taint;
import dev.keelson.controller.fit.Toleration;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Whether a node takes a pod that no scheduler has placed there (source: {@code
 * pkg/kubelet/lifecycle/predicate.go}). The first reason against it is told.
 */
final class PodAdmission {

  private static final String OS = "linux";

  private final MapNode pod;
  private final ApiObject node;
  private final List<MapNode> others;

  /**
   * Why a pod is not taken.
   *
   * @param reason of its status and of the Event
   * @param message of the Event
   */
  record Rejection(String reason, String message) {

    /** The message of the status. */
    String told() {
      return "Pod was rejected: " + message;
    }
  }

  /**
   * Prepares the decision.
   *
   * @param others the pods that the node has taken and that have not ended
   */
  PodAdmission(ApiObject pod, ApiObject node, List<ApiObject> others) {
    this.pod = pod.root().map("spec");
    this.node = node;
    this.others = others.stream().map(other -> other.root().map("spec")).toList();
  }

  /** Why the pod is not taken; empty if it is. */
  Optional<Rejection> rejection() {
    String os = pod.map("os").text("name");
    if (!os.isEmpty() && !os.equals(OS)) {
      return Optional.of(
          new Rejection(
              "PodOSNotSupported", "Failed to admit pod as the OS field doesn't match node OS"));
    }
    return shortage()
        .or(
            () ->
                unless(
                    RequiredNodes.of(pod).matches(node.meta().name(), node.meta().labels()),
                    "NodeAffinity",
                    "node(s) didn't match Pod's node affinity/selector"))
        .or(
            () ->
                unless(
                    !portsTaken(),
                    "NodePorts",
                    "node(s) didn't have free ports for the requested pod ports"))
        .or(
            () ->
                unless(
                    toleratesEvictions(),
                    "TaintToleration",
                    "node(s) had taints that the pod didn't tolerate"));
  }

  private static Optional<Rejection> unless(boolean holds, String predicate, String why) {
    return holds
        ? Optional.empty()
        : Optional.of(new Rejection(predicate, "Predicate " + predicate + " failed: " + why));
  }

  private Optional<Rejection> shortage() {
    MapNode allocatable = node.root().map("status").map("allocatable");
    Resources all = Resources.of(allocatable);
    Resources used = Resources.NONE;
    for (MapNode other : others) {
      used = used.plus(PodRequests.of(other));
    }
    Resources taken = used;
    Resources wanted = PodRequests.of(pod);
    return exceeded("pods", 1, others.size(), Resources.whole(allocatable, "pods"))
        .or(() -> exceeded("cpu", wanted.milliCpu(), taken.milliCpu(), all.milliCpu()))
        .or(() -> exceeded("memory", wanted.memory(), taken.memory(), all.memory()))
        .or(() -> exceeded("ephemeral-storage", wanted.storage(), taken.storage(), all.storage()))
        .or(() -> otherShortage(wanted.others(), taken.others(), all.others()));
  }

  /** Resources that the node does not know are not its concern. */
  private static Optional<Rejection> otherShortage(
      Map<String, Long> wanted, Map<String, Long> taken, Map<String, Long> all) {
    for (Map.Entry<String, Long> each : new TreeMap<>(wanted).entrySet()) {
      Long most = all.get(each.getKey());
      Optional<Rejection> found =
          most == null
              ? Optional.empty()
              : exceeded(
                  each.getKey(), each.getValue(), taken.getOrDefault(each.getKey(), 0L), most);
      if (found.isPresent()) {
        return found;
      }
    }
    return Optional.empty();
  }

  private static Optional<Rejection> exceeded(String name, long wanted, long used, long all) {
    return wanted == 0 || wanted <= all - used
        ? Optional.empty()
        : Optional.of(
            new Rejection(
                "OutOf" + name,
                "Node didn't have enough resource: %s, requested: %d, used: %d, capacity: %d"
                    .formatted(name, wanted, used, all)));
  }

  private boolean portsTaken() {
    List<HostPort> wanted = HostPort.of(pod);
    return !wanted.isEmpty()
        && others.stream()
            .flatMap(other -> HostPort.of(other).stream())
            .anyMatch(taken -> wanted.stream().anyMatch(port -> port.conflicts(taken)));
  }

  private boolean toleratesEvictions() {
    List<Toleration> tolerations = Toleration.of(pod);
    return Taint.of(node.root().map("spec")).stream()
        .filter(taint -> taint.effect().equals(Taint.NO_EXECUTE))
        .allMatch(taint -> Toleration.anyTolerates(tolerations, taint));
  }
}
