package dev.keelson.simulation;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.simulation.Behavior.End;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a kubelet tells of a container. */
final class ContainerSimulation {

  /** In bytes: of a container, and of all containers of a pod. */
  private static final int LONGEST_MESSAGE = 4096;

  private static final int LONGEST_MESSAGES = 12 * 1024;

  private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(10);
  private static final Duration LONGEST_BACK_OFF = Duration.ofMinutes(5);

  /** A container that ran longer is restarted as if it had not failed before. */
  private static final Duration FORGIVEN = LONGEST_BACK_OFF.multipliedBy(2);

  /** Exit code of a process that SIGTERM has ended. */
  private static final int TERMINATED = 143;

  private final ObjectMeta pod;
  private final String restartPolicy;
  private final int siblings;
  private final MapNode container;
  private final MapNode before;
  private final Behavior behavior;
  private final Instant now;
  private final String name;
  private final boolean changed;

  /**
   * What is told.
   *
   * @param ended whether the container has ended for good
   * @param exitCode of a container that has ended
   * @param due after how long the next change is due; null if nothing is
   */
  record Outcome(
      MapNode status, boolean ready, boolean ended, int exitCode, @Nullable Duration due) {}

  ContainerSimulation(
      ApiObject pod, MapNode container, MapNode before, Behavior behavior, Instant now) {
    MapNode spec = pod.root().map("spec");
    this.pod = pod.meta();
    this.restartPolicy = spec.text("restartPolicy");
    this.siblings = spec.items("containers").size() + spec.items("initContainers").size();
    this.container = container;
    this.before = before;
    this.behavior = behavior;
    this.now = now;
    this.name = container.text("name");
    this.changed = !Conditions.isObserved(pod);
  }

  /** The status of a container before its pod has started. */
  static MapNode creating(MapNode container) {
    return MapNode.builder(8)
        .put("name", Node.text(container.text("name")))
        .put("state", MapNode.of("waiting", MapNode.of("reason", Node.text("ContainerCreating"))))
        .put("lastState", MapNode.EMPTY)
        .put("ready", Bool.of(false))
        .put("restartCount", new Node.Int(0))
        .put("image", Node.text(container.text("image")))
        .put("imageID", Node.text(""))
        .put("started", Bool.of(false))
        .build();
  }

  /** The status of an init container after its end, or of a sidecar that runs. */
  MapNode initialized(Instant time) {
    if (!before.isEmpty()) {
      return before;
    }
    if (container.text("restartPolicy").equals("Always")) {
      return status(runningSince(time), MapNode.EMPTY, true, true, 0);
    }
    return status(terminated(0, "", time, time), MapNode.EMPTY, true, false, 0);
  }

  /** The status of an ephemeral container, which runs as long as its pod, and is never ready. */
  MapNode ephemeral() {
    return before.isEmpty() ? status(runningSince(now), MapNode.EMPTY, false, true, 0) : before;
  }

  /** The status of a container whose pod has started. */
  Outcome next() {
    MapNode state = before.map("state");
    if (state.has("terminated")) {
      return afterEnd(state.map("terminated"));
    }
    if (state.map("waiting").text("reason").equals("CrashLoopBackOff")) {
      return afterEnd(before.map("lastState").map("terminated"));
    }
    if (!state.has("running")) {
      return running(now, before.map("lastState"), restarts());
    }
    Instant since = Times.instant(state.map("running").text("startedAt"));
    if (changed && (hasAnotherImage() || isRestartedByItsResize())) {
      MapNode last = terminated(TERMINATED, "", since, now);
      return running(now, last, restarts() + 1);
    }
    return running(since, before.map("lastState"), restarts());
  }

  private boolean hasAnotherImage() {
    return !before.text("image").equals(container.text("image"));
  }

  private boolean isRestartedByItsResize() {
    MapNode last = before.map("resources");
    MapNode next = resources();
    for (MapNode policy : container.maps("resizePolicy")) {
      String resource = policy.text("resourceName");
      boolean resized =
          !last.map("requests").text(resource).equals(next.map("requests").text(resource))
              || !last.map("limits").text(resource).equals(next.map("limits").text(resource));
      if (resized && policy.text("restartPolicy").equals("RestartContainer")) {
        return true;
      }
    }
    return false;
  }

  /** What the container has: all that it asks for. */
  private MapNode resources() {
    return container.map("resources").without("claims");
  }

  private int restarts() {
    return before.get("restartCount") instanceof Node.Int count
        ? Math.clamp(count.value(), 0, Integer.MAX_VALUE)
        : 0;
  }

  private Outcome running(Instant since, MapNode last, int restarts) {
    Duration age = Duration.between(since, now);
    Duration toReady =
        behavior.ready().of(random("ready", restarts)).plus(probeDelays()).minus(age);
    boolean ready = !toReady.isPositive();
    Duration wait = ready ? null : toReady;
    End end = behavior.end();
    if (end != null) {
      boolean fails = random("failure", restarts) < end.probability();
      if (fails || !end.onlyFailures()) {
        Duration toEnd = end.after().of(random("end", restarts)).minus(age);
        if (!toEnd.isPositive()) {
          int exitCode = fails ? end.exitCode() : 0;
          MapNode state = terminated(exitCode, fails ? end.message() : "", since, now);
          MapNode status = status(state, last, false, false, restarts);
          boolean again = startsAgain(exitCode);
          return new Outcome(status, false, !again, exitCode, again ? Duration.ZERO : null);
        }
        wait = wait == null || toEnd.compareTo(wait) < 0 ? toEnd : wait;
      }
    }
    return new Outcome(
        status(runningSince(since), last, ready, true, restarts), ready, false, 0, wait);
  }

  private Outcome afterEnd(MapNode terminated) {
    int exitCode =
        terminated.get("exitCode") instanceof Node.Int code
            ? Math.clamp(code.value(), 0, Integer.MAX_VALUE)
            : 0;
    if (!startsAgain(exitCode)) {
      return new Outcome(before, false, true, exitCode, null);
    }
    int restarts = restarts();
    Instant finished = Times.instant(terminated.text("finishedAt"));
    Duration ran = Duration.between(Times.instant(terminated.text("startedAt")), finished);
    Duration backOff = ran.compareTo(FORGIVEN) > 0 ? Duration.ZERO : backOff(restarts);
    Duration left = backOff.minus(Duration.between(finished, now));
    MapNode last = MapNode.of("terminated", terminated);
    if (left.isPositive()) {
      return new Outcome(
          status(waiting(backOff), last, false, false, restarts), false, false, exitCode, left);
    }
    return running(now, last, restarts + 1);
  }

  private boolean startsAgain(int exitCode) {
    return restartPolicy.equals("OnFailure") ? exitCode != 0 : !restartPolicy.equals("Never");
  }

  /** The first restart is at once, the second after ten seconds, each later after twice as long. */
  private static Duration backOff(int restarts) {
    if (restarts == 0) {
      return Duration.ZERO;
    }
    Duration doubled = FIRST_BACK_OFF.multipliedBy(1L << Math.min(restarts - 1, 10));
    return doubled.compareTo(LONGEST_BACK_OFF) < 0 ? doubled : LONGEST_BACK_OFF;
  }

  private MapNode waiting(Duration backOff) {
    String text =
        "back-off %s restarting failed container=%s pod=%s_%s(%s)"
            .formatted(goDuration(backOff), name, pod.name(), pod.namespace(), pod.uid());
    return MapNode.of(
        "waiting",
        MapNode.of("reason", Node.text("CrashLoopBackOff")).with("message", Node.text(text)));
  }

  private static String goDuration(Duration duration) {
    long minutes = duration.toMinutes();
    return minutes == 0
        ? duration.toSeconds() + "s"
        : minutes + "m" + duration.toSecondsPart() + "s";
  }

  /** The status of a container whose pod is deleted. */
  MapNode stopped() {
    MapNode running = before.map("state").map("running");
    if (running.isEmpty()) {
      return before.isEmpty() ? creating(container) : before;
    }
    Instant since = Times.instant(running.text("startedAt"));
    return status(
        terminated(TERMINATED, "", since, now), before.map("lastState"), false, false, restarts());
  }

  private double random(String what, int restarts) {
    return Randoms.of(pod.uid(), name + "/" + what + "/" + restarts);
  }

  private Duration probeDelays() {
    return delay("startupProbe").plus(delay("readinessProbe"));
  }

  private Duration delay(String probe) {
    return container.map(probe).get("initialDelaySeconds") instanceof Node.Int seconds
        ? Duration.ofSeconds(Math.max(0, seconds.value()))
        : Duration.ZERO;
  }

  private static MapNode runningSince(Instant time) {
    return MapNode.of("running", MapNode.of("startedAt", Node.text(Times.text(time))));
  }

  private MapNode terminated(int exitCode, String message, Instant since, Instant end) {
    MapNode.Builder state =
        MapNode.builder(6)
            .put("exitCode", new Node.Int(exitCode))
            .put("reason", Node.text(exitCode == 0 ? "Completed" : "Error"));
    String bounded = bounded(message);
    if (!bounded.isEmpty()) {
      state.put("message", Node.text(bounded));
    }
    return MapNode.of(
        "terminated",
        state
            .put("startedAt", Node.text(Times.text(since)))
            .put("finishedAt", Node.text(Times.text(end)))
            .put("containerID", Node.text(id(restarts())))
            .build());
  }

  /**
   * The end of a message as a kubelet reads it from a file, of which the pod's share is told
   * (contract, termination messages).
   */
  private String bounded(String message) {
    byte[] bytes = message.getBytes(StandardCharsets.UTF_8);
    int begin = Math.max(0, bytes.length - LONGEST_MESSAGE);
    while (begin < bytes.length && isInsideCharacter(bytes[begin])) {
      begin++;
    }
    int end = Math.min(bytes.length, begin + LONGEST_MESSAGES / Math.max(1, siblings));
    while (end < bytes.length && isInsideCharacter(bytes[end])) {
      end--;
    }
    return new String(bytes, begin, end - begin, StandardCharsets.UTF_8);
  }

  /** Whether a byte of UTF-8 continues a character. */
  private static boolean isInsideCharacter(byte each) {
    return (each & 0xc0) == 0x80;
  }

  private String id(int restarts) {
    return "simulated://" + pod.uid() + "/" + name + "/" + restarts;
  }

  private MapNode status(
      MapNode state, MapNode last, boolean ready, boolean started, int restarts) {
    String image = container.text("image");
    MapNode.Builder told =
        MapNode.builder(11)
            .put("name", Node.text(name))
            .put("state", state)
            .put("lastState", last)
            .put("ready", Bool.of(ready))
            .put("restartCount", new Node.Int(restarts))
            .put("image", Node.text(image))
            .put("imageID", Node.text("simulated://" + image))
            .put("containerID", Node.text(id(restarts)))
            .put("started", Bool.of(started));
    if (state.has("running")) {
      // only nodes that tell what a running container has are asked to resize it
      MapNode resources = resources();
      if (!resources.map("requests").isEmpty()) {
        told.put("allocatedResources", resources.map("requests"));
      }
      told.put("resources", resources);
    }
    return told.build();
  }
}
