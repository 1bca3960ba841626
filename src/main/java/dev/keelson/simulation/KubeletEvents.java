package dev.keelson.simulation;

import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The Events of kubelets about their pods, in their words. As a kubelet does, it drops those that
 * come too fast: they are for people who look at a pod, and must not slow down the creation of many
 * pods. Safe for use by several threads.
 */
final class KubeletEvents implements AutoCloseable {

  /** Of all nodes together. */
  private static final int MOST_AT_ONCE = 500;

  private static final int PER_SECOND = 10;

  private static final List<Containers> LISTS =
      List.of(
          new Containers("initContainers", "initContainerStatuses"),
          new Containers("containers", "containerStatuses"),
          new Containers("ephemeralContainers", "ephemeralContainerStatuses"));

  /** A list of containers of a pod, and that of their statuses. */
  private record Containers(String field, String statuses) {

    /** The part of the pod that an Event is about. */
    String path(String name) {
      return "spec." + field + "{" + name + "}";
    }
  }

  private final EventRecorder recorder;
  private final LongSupplier nanos;
  private double left = MOST_AT_ONCE;
  private long refilled;

  /**
   * Not yet started.
   *
   * @param nanos a monotonic clock, in nanoseconds
   */
  KubeletEvents(ApiClient client, InstantSource clock, LongSupplier nanos) {
    this.recorder = new EventRecorder(client, "kubelet", clock, nanos);
    this.nanos = nanos;
    this.refilled = nanos.getAsLong();
  }

  void start() {
    recorder.start();
  }

  @Override
  public void close() {
    recorder.close();
  }

  /** The pod is not taken. */
  void rejected(ApiObject pod, String node, PodAdmission.Rejection why) {
    record(pod, "", node, Type.WARNING, why.reason(), why.message());
  }

  /**
   * The status of a pod has become another one.
   *
   * @param pod as it was before
   */
  void changed(ApiObject pod, MapNode status, String node) {
    MapNode before = pod.root().map("status");
    if (status.text("reason").equals("DeadlineExceeded")) {
      record(pod, "", node, Type.NORMAL, "DeadlineExceeded", status.text("message"));
      stopped(pod, node);
      return;
    }
    for (Containers list : LISTS) {
      for (MapNode container : pod.root().map("spec").maps(list.field)) {
        String name = container.text("name");
        MapNode now = status(status, list.statuses, name);
        MapNode then = status(before, list.statuses, name);
        if (!now.equals(then)) {
          container(pod, list.path(name), container, then, now, node);
        }
      }
    }
  }

  private static MapNode status(MapNode status, String list, String name) {
    for (MapNode each : status.maps(list)) {
      if (each.text("name").equals(name)) {
        return each;
      }
    }
    return MapNode.EMPTY;
  }

  private void container(
      ApiObject pod, String path, MapNode container, MapNode then, MapNode now, String node) {
    String name = container.text("name");
    if (runs(now) > runs(then)) {
      if (then.map("state").has("running") && now.map("state").has("running")) {
        String why = "Container " + name + " definition changed, will be restarted";
        record(pod, path, node, Type.NORMAL, "Killing", why);
      }
      pulled(pod, path, container, node);
      record(pod, path, node, Type.NORMAL, "Created", "Container created");
      record(pod, path, node, Type.NORMAL, "Started", "Container started");
    }
    if (waits(now) && !waits(then)) {
      String why =
          "Back-off restarting failed container %s in pod %s_%s(%s)"
              .formatted(name, pod.meta().name(), pod.meta().namespace(), pod.meta().uid());
      record(pod, path, node, Type.WARNING, "BackOff", why);
    }
  }

  private void pulled(ApiObject pod, String path, MapNode container, String node) {
    String image = container.text("image");
    String pulled =
        "Container image \""
            + image
            + "\" already present on machine and can be accessed by the pod";
    if (container.text("imagePullPolicy").equals("Always")) {
      record(pod, path, node, Type.NORMAL, "Pulling", "Pulling image \"" + image + "\"");
      pulled =
          "Successfully pulled image \""
              + image
              + "\" in 0s (0s including waiting). Image size: 0 bytes.";
    }
    record(pod, path, node, Type.NORMAL, "Pulled", pulled);
  }

  /** How often a container has been started. */
  private static long runs(MapNode status) {
    MapNode state = status.map("state");
    if (state.isEmpty() || state.map("waiting").text("reason").equals("ContainerCreating")) {
      return 0;
    }
    return status.get("restartCount") instanceof Node.Int count ? count.value() + 1 : 1;
  }

  private static boolean waits(MapNode status) {
    return status.map("state").map("waiting").text("reason").equals("CrashLoopBackOff");
  }

  /** The running containers of a pod are told to end. */
  void stopped(ApiObject pod, String node) {
    MapNode status = pod.root().map("status");
    for (Containers list : LISTS) {
      for (MapNode told : status.maps(list.statuses)) {
        if (told.map("state").has("running")) {
          String name = told.text("name");
          record(pod, list.path(name), node, Type.NORMAL, "Killing", "Stopping container " + name);
        }
      }
    }
  }

  private void record(
      ApiObject pod, String path, String node, Type type, String reason, String message) {
    if (!take()) {
      return;
    }
    ObjectReference about =
        new ObjectReference(
            "v1",
            "Pod",
            pod.meta().namespace(),
            pod.meta().name(),
            pod.meta().uid(),
            pod.meta().resourceVersion(),
            path);
    recorder.record(about, type, reason, message, node);
  }

  private synchronized boolean take() {
    long now = nanos.getAsLong();
    double more = (double) (now - refilled) * PER_SECOND / TimeUnit.SECONDS.toNanos(1);
    left = Math.min(MOST_AT_ONCE, left + more);
    refilled = now;
    if (left < 1) {
      return false;
    }
    left--;
    return true;
  }
}
