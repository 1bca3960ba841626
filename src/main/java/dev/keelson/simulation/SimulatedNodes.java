package dev.keelson.simulation;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.simulation.PodAdmission.Rejection;
import dev.keelson.simulation.PodSimulation.Step;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** The kubelets of all simulated nodes. */
public final class SimulatedNodes implements Controller {

  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final int WORKERS = 8;
  private static final int FEWEST_OF_GROUP = 10;
  private static final int MOST_GROUPS = 16;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** Pods are in 10.128.0.0/9. */
  private static final int ADDRESSES = 1 << 23;

  private final ApiClient client;
  private final Informer<NodePod> pods;
  private final Behaviors behaviors;
  private final InstantSource clock;
  private final Map<String, SimulatedNode> nodes = new HashMap<>();
  private final AtomicInteger addresses;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("simulated_pods", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("simulated-pods", WORKERS, queue, this::reconcile);
  private final List<ControllerLoop> heartbeats;
  private final KubeletEvents events;

  /** One pod after another is taken or rejected: what it takes is then missing to the next. */
  private final ReentrantLock admission = new ReentrantLock();

  /**
   * Not yet started.
   *
   * @param client may read and write nodes, their Leases and pods
   * @param pods shared with others; followed by the caller
   * @param count how many nodes
   * @param version the version of Kubernetes that the nodes tell
   * @param nanos a monotonic clock, in nanoseconds
   */
  public SimulatedNodes(
      ApiClient client,
      Informer<NodePod> pods,
      Behaviors behaviors,
      int count,
      String version,
      InstantSource clock,
      LongSupplier nanos) {
    this.client = client;
    this.pods = pods;
    this.behaviors = behaviors;
    this.clock = clock;
    this.events = new KubeletEvents(client, clock, nanos);
    List<SimulatedNode> all =
        IntStream.range(0, count).mapToObj(index -> new SimulatedNode(index, version)).toList();
    all.forEach(node -> nodes.put(node.name(), node));
    // the addresses of a server that ran before are not soon given again
    this.addresses = new AtomicInteger((int) (clock.millis() / 1000 % ADDRESSES));
    this.heartbeats =
        groups(all).stream()
            .map(
                group ->
                    ControllerLoop.every(
                        "simulated-nodes",
                        NodeHeartbeat.INTERVAL,
                        new NodeHeartbeat(client, group, behaviors.capacity(), clock)::beat))
            .toList();
  }

  /** A few nodes have a loop; the Leases of several loops share the commits of the store. */
  private static List<List<SimulatedNode>> groups(List<SimulatedNode> nodes) {
    int groups = Math.clamp(nodes.size() / FEWEST_OF_GROUP, 1, MOST_GROUPS);
    return IntStream.range(0, groups)
        .mapToObj(group -> nodes.stream().filter(node -> node.index() % groups == group).toList())
        .toList();
  }

  @Override
  public void start() throws InterruptedException {
    events.start();
    heartbeats.forEach(ControllerLoop::start);
    pods.listen(new PodChanges());
    pods.awaitSync();
    workers.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    workers.close();
    heartbeats.forEach(ControllerLoop::close);
    events.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    try {
      ApiObject pod = client.get(PODS, name.namespace(), name.name()).orElse(null);
      SimulatedNode node = pod == null ? null : nodes.get(pod.root().map("spec").text("nodeName"));
      return pod == null || node == null ? Outcome.DONE : bringAbout(name, pod, node);
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND) {
        return Outcome.DONE;
      }
      if (e.reason() == Reason.CONFLICT) {
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private Outcome bringAbout(ObjectName name, ApiObject pod, SimulatedNode node)
      throws InterruptedException {
    Instant now = clock.instant();
    String restartPolicy = pod.root().map("spec").text("restartPolicy");
    PodSimulation simulation =
        new PodSimulation(pod, behaviors.of(pod.meta().labels(), restartPolicy), now);
    if (pod.meta().deleting()) {
      end(pod, node, simulation);
      return Outcome.DONE;
    }
    if (!isToBeAdmitted(pod)) {
      return tellNext(name, pod, node, simulation);
    }
    admission.lockInterruptibly();
    try {
      Optional<Rejection> rejection = rejection(pod, node);
      if (rejection.isEmpty()) {
        return tellNext(name, pod, node, simulation);
      }
      Written unused =
          client.updateStatus(PODS, pod.with("status", simulation.rejected(rejection.get())));
      events.rejected(pod, node.name(), rejection.get());
      return Outcome.DONE;
    } finally {
      admission.unlock();
    }
  }

  /** Whether a pod is new that has its node from its author: schedulers have looked at others. */
  private static boolean isToBeAdmitted(ApiObject pod) {
    MapNode status = pod.root().map("status");
    return !status.has("startTime")
        && status.maps("conditions").stream()
            .noneMatch(
                condition ->
                    condition.text("type").equals("PodScheduled")
                        && condition.text("status").equals("True"));
  }

  private Optional<Rejection> rejection(ApiObject pod, SimulatedNode node)
      throws InterruptedException {
    Optional<ApiObject> registered = client.get(NodeHeartbeat.NODES, "", node.name());
    if (registered.isEmpty()) {
      return Optional.empty();
    }
    Selection ofNode = new Selection(PODS, "", "", "spec.nodeName=" + node.name());
    List<ApiObject> taken =
        client.list(ofNode).stream()
            .filter(other -> other.root().map("status").has("startTime"))
            .filter(other -> !PodSimulation.ended(other.root().map("status")))
            .toList();
    return new PodAdmission(pod, registered.get(), taken).rejection();
  }

  private Outcome tellNext(
      ObjectName name, ApiObject pod, SimulatedNode node, PodSimulation simulation)
      throws InterruptedException {
    boolean ofHost =
        pod.root().map("spec").get("hostNetwork") instanceof Node.Bool host && host.value();
    Step step = simulation.next(node.address(), ofHost ? node.address() : address());
    if (!step.status().equals(pod.root().map("status"))) {
      Written unused = client.updateStatus(PODS, pod.with("status", step.status()));
      events.changed(pod, step.status(), node.name());
    }
    Duration wait = step.due();
    if (wait != null) {
      queue.addAfter(name, wait);
    }
    return Outcome.DONE;
  }

  /** Its containers end at once when they are told to. */
  private void end(ApiObject pod, SimulatedNode node, PodSimulation simulation)
      throws InterruptedException {
    if (!PodSimulation.ended(pod.root().map("status"))) {
      events.stopped(pod, node.name());
    }
    if (!pod.meta().finalizers().isEmpty() && !PodSimulation.ended(pod.root().map("status"))) {
      // whoever holds the pod back waits for its end
      Written unused = client.updateStatus(PODS, pod.with("status", simulation.stopped()));
    }
    client.delete(
        PODS,
        pod.meta().namespace(),
        pod.meta().name(),
        new DeleteRequest(pod.meta().uid(), "", DeleteRequest.Dependents.DEFAULT, 0L));
  }

  private String address() {
    int number = Math.floorMod(addresses.getAndIncrement(), ADDRESSES);
    return "10.%d.%d.%d".formatted(128 + (number >> 16), number >> 8 & 0xFF, number & 0xFF);
  }

  private final class PodChanges implements ObjectListener<NodePod> {

    @Override
    public void added(ObjectName name, NodePod pod) {
      if (nodes.containsKey(pod.node()) && (pod.deleting() || !pod.ended())) {
        queue.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, NodePod before, NodePod after) {
      if (!NodePod.isHandled(before, after)) {
        added(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, NodePod last) {
      // nothing is kept of it
    }
  }
}
