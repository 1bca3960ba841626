package dev.keelson.simulation;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.simulation.ContainerSimulation.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a kubelet tells of a pod at a time, as a function of what was told before: nothing else is
 * kept. Times are told in whole seconds, so that a delay may seem a second longer.
 */
final class PodSimulation {

  private static final String EPHEMERAL = "ephemeralContainerStatuses";

  private static final String DEADLINE_EXCEEDED =
      "Pod was active on the node longer than the specified deadline";

  private final ApiObject pod;
  private final MapNode spec;
  private final MapNode before;
  private final Behavior behavior;
  private final Instant now;

  /**
   * The status that is to be told.
   *
   * @param status the whole status
   * @param due after how long the next change is due; null if nothing is
   */
  record Step(MapNode status, @Nullable Duration due) {}

  PodSimulation(ApiObject pod, Behavior behavior, Instant now) {
    this.pod = pod;
    this.spec = pod.root().map("spec");
    this.before = pod.root().map("status");
    this.behavior = behavior;
    this.now = now;
  }

  /** Whether all containers have ended for good. */
  static boolean ended(MapNode status) {
    String phase = status.text("phase");
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /**
   * The next status.
   *
   * @param hostIp the address of the node
   * @param podIp the address of the pod, if it has none yet
   */
  Step next(String hostIp, String podIp) {
    if (ended(before)) {
      return new Step(before, null);
    }
    Instant begin = before.has("startTime") ? Times.instant(before.text("startTime")) : now;
    Duration left = untilDeadline(begin);
    if (left != null && !left.isPositive()) {
      return new Step(
          stopped()
              .with("reason", Node.text("DeadlineExceeded"))
              .with("message", Node.text(DEADLINE_EXCEEDED)),
          null);
    }
    Step step = started(begin, hostIp, podIp);
    return ended(step.status()) ? step : new Step(step.status(), sooner(step.due(), left));
  }

  /** How long the pod may still be active; null if there is no deadline. */
  private @Nullable Duration untilDeadline(Instant begin) {
    return spec.get("activeDeadlineSeconds") instanceof Node.Int seconds
        ? Duration.ofSeconds(seconds.value()).minus(Duration.between(begin, now))
        : null;
  }

  private Step started(Instant begin, String hostIp, String podIp) {
    MapNode status =
        before
            .with("startTime", Node.text(Times.text(begin)))
            .with("hostIP", Node.text(hostIp))
            .with("hostIPs", addresses(hostIp));
    Duration pending =
        behavior
            .start()
            .of(Randoms.of(pod.meta().uid(), "start"))
            .minus(Duration.between(begin, now));
    if (pending.isPositive()) {
      return new Step(creating(status), pending);
    }
    String ip = before.text("podIP").isEmpty() ? podIp : before.text("podIP");
    status = status.with("podIP", Node.text(ip)).with("podIPs", addresses(ip));
    return running(status);
  }

  private static Items addresses(String ip) {
    return new Items(List.of(MapNode.of("ip", Node.text(ip))));
  }

  private MapNode creating(MapNode status) {
    List<Node> waiting = new ArrayList<>();
    for (MapNode container : spec.maps("containers")) {
      waiting.add(ContainerSimulation.creating(container));
    }
    Conditions conditions = new Conditions(pod, now);
    conditions.set("PodReadyToStartContainers", false, "", "");
    conditions.set("Initialized", true, "", "");
    String message = "containers with unready status: " + names(spec.maps("containers"));
    conditions.set("Ready", false, "ContainersNotReady", message);
    conditions.set("ContainersReady", false, "ContainersNotReady", message);
    conditions.set("PodScheduled", true, "", "");
    return whole(status, "Pending", conditions).with("containerStatuses", new Items(waiting));
  }

  private Step running(MapNode status) {
    List<Node> inits = new ArrayList<>();
    for (MapNode container : spec.maps("initContainers")) {
      inits.add(simulation(container, before.maps("initContainerStatuses")).initialized(now));
    }
    List<Node> statuses = new ArrayList<>();
    List<MapNode> unready = new ArrayList<>();
    List<Outcome> outcomes = new ArrayList<>();
    Duration wait = null;
    for (MapNode container : spec.maps("containers")) {
      Outcome outcome = simulation(container, before.maps("containerStatuses")).next();
      outcomes.add(outcome);
      statuses.add(outcome.status());
      if (!outcome.ready()) {
        unready.add(container);
      }
      wait = sooner(wait, outcome.due());
    }
    if (!inits.isEmpty()) {
      status = status.with("initContainerStatuses", new Items(inits));
    }
    status = status.with("containerStatuses", new Items(statuses));
    List<Node> ephemeral = new ArrayList<>();
    for (MapNode container : spec.maps("ephemeralContainers")) {
      ephemeral.add(simulation(container, before.maps(EPHEMERAL)).ephemeral());
    }
    if (!ephemeral.isEmpty()) {
      status = status.with(EPHEMERAL, new Items(ephemeral));
    }
    if (outcomes.stream().allMatch(Outcome::ended)) {
      boolean failed = outcomes.stream().anyMatch(outcome -> outcome.exitCode() != 0);
      return new Step(completed(status, failed), null);
    }
    Conditions conditions = new Conditions(pod, now);
    conditions.set("PodReadyToStartContainers", true, "", "");
    conditions.set("Initialized", true, "", "");
    String message = "containers with unready status: " + names(unready);
    conditions.set("Ready", unready.isEmpty(), "ContainersNotReady", message);
    conditions.set("ContainersReady", unready.isEmpty(), "ContainersNotReady", message);
    conditions.set("PodScheduled", true, "", "");
    if (unready.isEmpty()) {
      openGate().ifPresent(why -> conditions.set("Ready", false, "ReadinessGatesNotReady", why));
    }
    return new Step(whole(status, "Running", conditions), wait);
  }

  private MapNode completed(MapNode status, boolean failed) {
    Conditions conditions = new Conditions(pod, now);
    String reason = failed ? "PodFailed" : "PodCompleted";
    conditions.set("PodReadyToStartContainers", false, "", "");
    conditions.set("Initialized", true, failed ? "" : "PodCompleted", "");
    conditions.set("Ready", false, reason, "");
    conditions.set("ContainersReady", false, reason, "");
    conditions.set("PodScheduled", true, "", "");
    return whole(status, failed ? "Failed" : "Succeeded", conditions);
  }

  /** The status of a pod that the node does not take. */
  MapNode rejected(PodAdmission.Rejection why) {
    MapNode status =
        before
            .with("phase", Node.text("Failed"))
            .with("reason", Node.text(why.reason()))
            .with("message", Node.text(why.told()))
            .with("startTime", Node.text(Times.text(now)));
    return observed(status);
  }

  /** The last status of a pod that is deleted: its containers have followed the signal to end. */
  MapNode stopped() {
    List<Node> statuses = new ArrayList<>();
    for (MapNode container : spec.maps("containers")) {
      statuses.add(simulation(container, before.maps("containerStatuses")).stopped());
    }
    MapNode status = before.with("containerStatuses", new Items(statuses));
    List<Node> ephemeral = new ArrayList<>();
    for (MapNode container : spec.maps("ephemeralContainers")) {
      ephemeral.add(simulation(container, before.maps(EPHEMERAL)).stopped());
    }
    return completed(
        ephemeral.isEmpty() ? status : status.with(EPHEMERAL, new Items(ephemeral)), true);
  }

  private ContainerSimulation simulation(MapNode container, List<MapNode> statuses) {
    String name = container.text("name");
    MapNode told =
        statuses.stream()
            .filter(status -> status.text("name").equals(name))
            .findFirst()
            .orElse(MapNode.EMPTY);
    return new ContainerSimulation(pod, container, told, behavior, now);
  }

  private MapNode whole(MapNode status, String phase, Conditions conditions) {
    MapNode next =
        status
            .with("phase", Node.text(phase))
            .with("conditions", conditions.all(before.maps("conditions")));
    return observed(next);
  }

  private MapNode observed(MapNode next) {
    long generation = pod.meta().generation();
    return generation == 0 ? next : next.with("observedGeneration", new Node.Int(generation));
  }

  /** Why a readiness gate is not open; empty if all are. */
  private Optional<String> openGate() {
    for (MapNode gate : spec.maps("readinessGates")) {
      String type = gate.text("conditionType");
      Optional<MapNode> found =
          before.maps("conditions").stream()
              .filter(condition -> condition.text("type").equals(type))
              .findFirst();
      if (found.isEmpty()) {
        return Optional.of(
            "corresponding condition of pod readiness gate \"" + type + "\" does not exist.");
      }
      if (!found.get().text("status").equals("True")) {
        return Optional.of(
            "the status of pod readiness gate \""
                + type
                + "\" is not \"True\", but "
                + found.get().text("status"));
      }
    }
    return Optional.empty();
  }

  private static String names(List<MapNode> containers) {
    return "["
        + String.join(" ", containers.stream().map(container -> container.text("name")).toList())
        + "]";
  }

  private static @Nullable Duration sooner(@Nullable Duration one, @Nullable Duration other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) < 0 ? one : other;
  }
}
