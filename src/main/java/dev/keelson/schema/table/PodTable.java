package dev.keelson.schema.table;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Pods: one word for their state, made from the phase and the states of their containers. */
final class PodTable {

  static final TableDefinition TABLE =
      Columns.named()
          .text("Ready", "Containers that are ready, of all that have to be.")
          .text("Status", "One word for the state of the pod and its containers.")
          .text("Restarts", "How often containers were restarted, and when last.")
          .age()
          .wide("IP", "Address of the pod.")
          .wide("Node", "Node that the pod is bound to.")
          .wide("Nominated Node", "Node on which room is made for the pod.")
          .wide("Readiness Gates", "Readiness gates that are passed, of all.")
          .reading(
              "spec.containers.#",
              "spec.initContainers.name",
              "spec.initContainers.restartPolicy",
              "spec.nodeName",
              "spec.readinessGates.conditionType",
              "status.phase",
              "status.reason",
              "status.nominatedNodeName",
              "status.podIP",
              "status.podIPs.ip",
              "status.conditions.type",
              "status.conditions.status",
              "status.conditions.reason",
              "status.initContainerStatuses.name",
              "status.initContainerStatuses.ready",
              "status.initContainerStatuses.started",
              "status.initContainerStatuses.restartCount",
              "status.initContainerStatuses.state",
              "status.initContainerStatuses.lastState.terminated.finishedAt",
              "status.containerStatuses.ready",
              "status.containerStatuses.restartCount",
              "status.containerStatuses.state",
              "status.containerStatuses.lastState.terminated.finishedAt")
          .of((pod, row) -> new PodTable(pod).print(row));

  private final MapNode pod;
  private final MapNode spec;
  private final MapNode status;
  private final Set<String> sidecars = new HashSet<>();
  private String reason;
  private Restarts restarts = new Restarts();
  private int ready;

  /** How often containers were restarted, and when last; times in UTC compare as text. */
  private static final class Restarts {
    private long count;
    private String last = "";

    void add(MapNode container) {
      count += Text.number(container, "restartCount");
      String finished = container.map("lastState").map("terminated").text("finishedAt");
      if (finished.compareTo(last) > 0) {
        last = finished;
      }
    }
  }

  private PodTable(MapNode pod) {
    this.pod = pod;
    spec = pod.map("spec");
    status = pod.map("status");
    reason = status.text("reason").isEmpty() ? status.text("phase") : status.text("reason");
    for (MapNode container : spec.maps("initContainers")) {
      if (container.text("restartPolicy").equals("Always")) {
        sidecars.add(container.text("name"));
      }
    }
  }

  private void print(Row row) {
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals("PodScheduled")
          && condition.text("reason").equals("SchedulingGated")) {
        reason = "SchedulingGated";
      }
    }
    String phase = status.text("phase");
    switch (phase) {
      case "Succeeded" -> row.completed(phase, "The pod has completed successfully.");
      case "Failed" -> row.completed(phase, "The pod failed.");
      default -> {}
    }
    Restarts ofSidecars = new Restarts();
    if (!initializing(ofSidecars) || Text.condition(status, "Initialized")) {
      restarts = ofSidecars;
      containers();
    }
    deletion(phase);
    row.name(pod)
        .text(ready + "/" + (spec.items("containers").size() + sidecars.size()))
        .text(reason)
        .text(
            restarts.count == 0 || restarts.last.isEmpty()
                ? Long.toString(restarts.count)
                : restarts.count + " (" + row.age(restarts.last) + " ago)")
        .age(pod)
        .textOrNone(ip())
        .textOrNone(spec.text("nodeName"))
        .textOrNone(status.text("nominatedNodeName"))
        .text(readinessGates());
  }

  /** Whether an init container still has to do its work; the reason then says which. */
  private boolean initializing(Restarts ofSidecars) {
    List<MapNode> statuses = status.maps("initContainerStatuses");
    for (int i = 0; i < statuses.size(); i++) {
      MapNode container = statuses.get(i);
      boolean sidecar = sidecars.contains(container.text("name"));
      restarts.add(container);
      if (sidecar) {
        ofSidecars.add(container);
      }
      MapNode state = container.map("state");
      boolean terminated = state.has("terminated");
      if (terminated && Text.number(state.map("terminated"), "exitCode") == 0) {
        continue;
      }
      if (sidecar && Text.flag(container, "started")) {
        ready += Text.flag(container, "ready") ? 1 : 0;
        continue;
      }
      String waiting = state.map("waiting").text("reason");
      if (terminated) {
        reason = "Init:" + ending(state.map("terminated"));
      } else if (!waiting.isEmpty() && !waiting.equals("PodInitializing")) {
        reason = "Init:" + waiting;
      } else {
        reason = "Init:" + i + "/" + spec.items("initContainers").size();
      }
      return true;
    }
    return false;
  }

  private void containers() {
    boolean running = false;
    for (MapNode container : status.maps("containerStatuses").reversed()) {
      restarts.add(container);
      MapNode state = container.map("state");
      String waiting = state.map("waiting").text("reason");
      if (!waiting.isEmpty()) {
        reason = waiting;
      } else if (state.has("terminated")) {
        reason = ending(state.map("terminated"));
      } else if (Text.flag(container, "ready") && state.has("running")) {
        running = true;
        ready++;
      }
    }
    if (reason.equals("Completed") && running) {
      reason = Text.condition(status, "Ready") ? "Running" : "NotReady";
    }
  }

  private static String ending(MapNode terminated) {
    String reason = terminated.text("reason");
    if (!reason.isEmpty()) {
      return reason;
    }
    long signal = Text.number(terminated, "signal");
    return signal != 0 ? "Signal:" + signal : "ExitCode:" + Text.number(terminated, "exitCode");
  }

  private void deletion(String phase) {
    if (pod.map("metadata").has("deletionTimestamp")) {
      if (status.text("reason").equals("NodeLost")) {
        reason = "Unknown";
      } else if (!phase.equals("Succeeded") && !phase.equals("Failed")) {
        reason = "Terminating";
      }
    }
  }

  private String ip() {
    List<Node> all = status.items("podIPs");
    return status.text("podIP").isEmpty()
            && !all.isEmpty()
            && all.getFirst() instanceof MapNode first
        ? first.text("ip")
        : status.text("podIP");
  }

  private String readinessGates() {
    List<MapNode> gates = spec.maps("readinessGates");
    if (gates.isEmpty()) {
      return "<none>";
    }
    long passed =
        gates.stream().filter(gate -> Text.condition(status, gate.text("conditionType"))).count();
    return passed + "/" + gates.size();
  }
}
