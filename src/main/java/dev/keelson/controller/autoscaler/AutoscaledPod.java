package dev.keelson.controller.autoscaler;

import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What autoscalers read of a pod.
 *
 * @param started when its kubelet took it; null before
 * @param ready the condition Ready; null if there is none
 * @param requests of the pod as a whole, by resource; empty if only containers have some
 * @param overhead by resource
 * @param containers those that run beside each other, sidecars last
 */
record AutoscaledPod(
    String name,
    Map<String, String> labels,
    String phase,
    boolean deleting,
    @Nullable Instant started,
    @Nullable Readiness ready,
    MapNode requests,
    MapNode overhead,
    List<Container> containers) {

  /**
   * The condition Ready.
   *
   * @param status such as {@code True}
   * @param since when it became so
   */
  record Readiness(String status, Instant since) {}

  /**
   * A container.
   *
   * @param requests by resource
   */
  record Container(String name, MapNode requests) {}

  AutoscaledPod {
    labels = Map.copyOf(labels);
    containers = List.copyOf(containers);
  }

  static AutoscaledPod of(ApiObject pod) {
    MapNode spec = pod.root().map("spec");
    MapNode status = pod.root().map("status");
    String started = status.text("startTime");
    Readiness ready = null;
    for (MapNode condition : status.maps("conditions")) {
      if (condition.text("type").equals("Ready")) {
        ready =
            new Readiness(
                condition.text("status"), Times.instant(condition.text("lastTransitionTime")));
      }
    }
    List<Container> containers = new ArrayList<>();
    spec.maps("containers").forEach(each -> containers.add(container(each)));
    for (MapNode each : spec.maps("initContainers")) {
      if (each.text("restartPolicy").equals("Always")) {
        containers.add(container(each));
      }
    }
    return new AutoscaledPod(
        pod.meta().name(),
        pod.meta().labels(),
        status.text("phase"),
        pod.meta().deleting(),
        started.isEmpty() ? null : Times.instant(started),
        ready,
        spec.map("resources").map("requests"),
        spec.map("overhead"),
        containers);
  }

  private static Container container(MapNode container) {
    return new Container(container.text("name"), container.map("resources").map("requests"));
  }

  /** Whether it runs and is ready. */
  boolean serves() {
    return phase.equals("Running") && ready != null && ready.status().equals("True");
  }

  /** Whether all its containers have ended for good. */
  boolean ended() {
    return phase.equals("Succeeded") || phase.equals("Failed");
  }

  /**
   * What it requests of a resource, in thousandths.
   *
   * @param container empty for all of them
   * @throws MetricException if a container requests nothing of it
   */
  long request(String resource, String container) {
    return container.isEmpty() && !requests.isEmpty()
        ? requestOfPod(resource)
        : requestOfContainers(resource, container);
  }

  private long requestOfPod(String resource) {
    Long own = Millis.of(requests.get(resource));
    boolean any = own != null;
    long sum = own == null ? 0 : own;
    if (own == null) {
      for (Container each : containers) {
        Long part = Millis.of(each.requests().get(resource));
        any |= part != null;
        sum += part == null ? 0 : part;
      }
    }
    if (!any) {
      throw new MetricException(
          "missing pod-level request for %s in Pod %s".formatted(resource, name));
    }
    Long more = Millis.of(overhead.get(resource));
    return more == null ? sum : sum + more;
  }

  private long requestOfContainers(String resource, String container) {
    long sum = 0;
    for (Container each : containers) {
      if (container.isEmpty() || container.equals(each.name())) {
        Long part = Millis.of(each.requests().get(resource));
        if (part == null) {
          throw new MetricException(
              "missing request for %s in container %s of Pod %s"
                  .formatted(resource, each.name(), name));
        }
        sum += part;
        if (!container.isEmpty()) {
          return sum;
        }
      }
    }
    if (!container.isEmpty()) {
      throw new MetricException("container %s not found in Pod %s".formatted(container, name));
    }
    return sum;
  }
}
