package dev.keelson.controller.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.election.LeaderElector;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.workload.PodCondition;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Tells that nodes are silent, and keeps the NoSchedule taints that follow from conditions (source:
 * kube-controller-manager's {@code nodelifecycle}). Silence is measured by this process's monotonic
 * clock from the last change that it has seen, so that wrong clocks of nodes do not matter. Also
 * gives nodes that are not ready the NoExecute taints by which {@link TaintEvictionController}
 * evicts their pods, a few at a time.
 */
public final class NodeLifecycleController implements Controller {

  /** The component in Events, and the name of the service account. */
  public static final String NAME = "node-controller";

  /** What is left to nodes that are taken to have been silent: simulated nodes renew at once. */
  private static final Duration HEARTBEAT = Duration.ofSeconds(3);

  /** The conditions that only a kubelet can tell. */
  private static final List<String> TOLD =
      List.of(NodeFacts.READY, "MemoryPressure", "DiskPressure", "PIDPressure");

  private static final int WORKERS = 2;

  /** More new nodes than this would not be told in one look: Events that wait are bounded. */
  private static final int MOST_ARRIVALS = 500;

  private static final String NODE_LEASES = "kube-node-lease";

  /** The time of the last renewal. */
  private static final InformerType<String> LEASES =
      new InformerType<>(
          LeaderElector.RESOURCE, lease -> lease.root().map("spec").text("renewTime"), List.of());

  private final ApiClient client;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final EventRecorder events;
  private final Informer<NodeFacts> nodes;
  private final Informer<PodFacts> pods;
  private final Informer<String> leases;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("node_lifecycle_controller", Duration.ofMillis(5), Duration.ofMinutes(1));
  private final ControllerLoop workers =
      ControllerLoop.workers("node-taints", WORKERS, queue, this::correct);
  private final ControllerLoop monitor;

  private final SilenceSettings settings;

  /** Of the nodes of the first look. Confined to the monitor. */
  private Duration silentBefore;

  /** Confined to the monitor. */
  private final EvictionPace pace;

  /** The last sign of life of each node by its uid. Confined to the monitor. */
  private Map<String, Sign> signs = new HashMap<>();

  /** The uids of the nodes by their names. Confined to the monitor. */
  private Map<String, String> known = new HashMap<>();

  /**
   * What a node has told last.
   *
   * @param seenAt when that was seen first
   */
  private record Sign(String heartbeat, String renewal, long seenAt) {}

  /** A controller that has not started. */
  public NodeLifecycleController(ControllerContext context, SilenceSettings settings) {
    this(context, settings, Duration.ZERO);
  }

  /**
   * A controller that has not started.
   *
   * @param silentBefore how long the nodes of its first look are taken to have been silent by then;
   *     three seconds are left to them in any case
   */
  public NodeLifecycleController(
      ControllerContext context, SilenceSettings settings, Duration silentBefore) {
    this.settings = settings;
    this.silentBefore = silentBefore;
    this.pace = new EvictionPace(settings);
    this.monitor = ControllerLoop.every("node-monitor", settings.period(), () -> watch());
    this.client = context.client(NAME);
    this.clock = context.clock();
    this.nanos = context.nanos();
    this.events = new EventRecorder(client, NAME, clock, nanos);
    this.nodes = context.informers().of(NodeFacts.TYPE);
    this.pods = context.informers().of(PodFacts.TYPE);
    this.leases = context.informers().of(LEASES);
  }

  @Override
  public void start() throws InterruptedException {
    nodes.listen(new NodeChanges());
    events.start();
    nodes.awaitSync();
    workers.start();
    pods.awaitSync();
    leases.awaitSync();
    monitor.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue);
  }

  @Override
  public void close() {
    workers.close();
    monitor.close();
    events.close();
  }

  /** Whether taints and labels of a node are as this controller keeps them. */
  private static boolean isRight(NodeFacts node) {
    return ConditionTaints.areRight(node) && node.oldLabels().isEmpty();
  }

  private Outcome correct(ObjectName name) throws InterruptedException {
    NodeFacts node = nodes.get(name).orElse(null);
    if (node == null || isRight(node)) {
      return Outcome.DONE;
    }
    try {
      if (!node.oldLabels().isEmpty()) {
        label(node);
      }
      ApiObject current = client.get(NodeFacts.RESOURCE, "", name.name()).orElse(null);
      if (current != null && !ConditionTaints.areRight(NodeFacts.of(current))) {
        Written unused =
            client.update(NodeFacts.RESOURCE, ConditionTaints.corrected(current, clock.instant()));
      }
      return Outcome.DONE;
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private void label(NodeFacts node) throws InterruptedException {
    MapNode metadata =
        MapNode.of("uid", Node.text(node.uid())).with("labels", MapNode.ofTexts(node.oldLabels()));
    Written unused =
        client.patch(
            NodeFacts.RESOURCE,
            "",
            node.name(),
            "",
            Patch.STRATEGIC_MERGE,
            MapNode.of("metadata", metadata));
  }

  private void watch() throws InterruptedException {
    long now = nanos.getAsLong();
    List<NodeFacts> all = nodes.list();
    tellArrivals(all);
    Map<String, Sign> next = new HashMap<>();
    List<NodeFacts> silent = new ArrayList<>();
    for (NodeFacts node : all) {
      Sign last = signs.get(node.uid());
      String renewal = leases.get(new ObjectName(NODE_LEASES, node.name())).orElse("");
      Duration grace =
          node.conditions().containsKey(NodeFacts.READY)
              ? settings.grace()
              : settings.startupGrace();
      Sign sign =
          last != null
                  && last.heartbeat().equals(node.heartbeat())
                  && last.renewal().equals(renewal)
              ? last
              : new Sign(node.heartbeat(), renewal, now - before(grace));
      next.put(node.uid(), sign);
      if (now - sign.seenAt() > grace.toNanos()
          && !"Unknown".equals(node.conditions().get(NodeFacts.READY))) {
        silent.add(node);
      }
    }
    signs = next;
    silentBefore = Duration.ZERO;
    for (NodeFacts node : silent) {
      tellSilence(node);
    }
    evict(now);
  }

  /** Tells which nodes have come and gone, by their names, since the last look. */
  private void tellArrivals(List<NodeFacts> all) {
    Map<String, String> next = HashMap.newHashMap(all.size());
    int arrivals = 0;
    for (NodeFacts node : all) {
      boolean isNew = !known.containsKey(node.name());
      // the others are told by the next looks
      if (!isNew || arrivals++ < MOST_ARRIVALS) {
        String unused = next.put(node.name(), node.uid());
      }
      if (isNew && next.containsKey(node.name())) {
        tell(node.name(), node.uid(), "RegisteredNode", "Registered Node %s in Controller");
      }
    }
    known.forEach(
        (name, uid) -> {
          if (!next.containsKey(name)) {
            tell(name, uid, "RemovingNode", "Removing Node %s from Controller");
          }
        });
    known = next;
  }

  private void tell(String node, String uid, String reason, String message) {
    events.record(
        ObjectReference.of("v1", "Node", "", node, uid),
        EventRecorder.Type.NORMAL,
        reason,
        "Node " + node + " event: " + message.formatted(node));
  }

  /** The nanoseconds for which a node is taken to have been silent when it is seen first. */
  private long before(Duration grace) {
    Duration most = grace.minus(HEARTBEAT);
    Duration before = silentBefore.compareTo(most) < 0 ? silentBefore : most;
    return Math.max(0, before.toNanos());
  }

  private void evict(long now) throws InterruptedException {
    List<NodeFacts> all = nodes.list();
    Map<String, List<Boolean>> zones = new HashMap<>();
    for (NodeFacts node : all) {
      List<Boolean> zone = zones.computeIfAbsent(node.zone(), each -> new ArrayList<>());
      if (node.tellsOfItsZone()) {
        zone.add(node.ready());
      }
    }
    pace.pass(zones, now);
    for (NodeFacts node : all) {
      String wanted = ConditionTaints.evicting(node);
      Set<String> present = ConditionTaints.presentEvicting(node);
      boolean right = wanted.isEmpty() ? present.isEmpty() : present.equals(Set.of(wanted));
      // only nodes that have no such taint yet wait for their turn
      if (!right && (!present.isEmpty() || pace.take(node.zone()))) {
        taintEvicting(node.name());
      }
    }
  }

  private void taintEvicting(String name) throws InterruptedException {
    try {
      ApiObject current = client.get(NodeFacts.RESOURCE, "", name).orElse(null);
      if (current != null) {
        ApiObject next = ConditionTaints.withEvicting(current, clock.instant());
        if (!next.equals(current)) {
          Written unused = client.update(NodeFacts.RESOURCE, next);
        }
      }
    } catch (ApiException e) {
      if (e.reason() != Reason.CONFLICT && e.reason() != Reason.NOT_FOUND) {
        throw e;
      }
      // looked at again with the next turn
    }
  }

  private void tellSilence(NodeFacts node) throws InterruptedException {
    boolean wasReady = "True".equals(node.conditions().get(NodeFacts.READY));
    Instant now = clock.instant();
    ApiObject stored = client.get(NodeFacts.RESOURCE, "", node.name()).orElse(null);
    if (stored == null) {
      return;
    }
    List<Node> conditions = new ArrayList<>();
    for (String type : TOLD) {
      String status = node.conditions().get(type);
      if (!"Unknown".equals(status)) {
        conditions.add(unknown(type, status == null ? stored.meta().creationTimestamp() : "", now));
      }
    }
    patchStatus(NodeFacts.RESOURCE, new ObjectName("", node.name()), node.uid(), conditions);
    if (wasReady) {
      events.record(
          ObjectReference.of("v1", "Node", "", node.name(), node.uid()),
          EventRecorder.Type.NORMAL,
          "NodeNotReady",
          "Node " + node.name() + " status is now: NodeNotReady");
      tellPods(node, now);
    }
  }

  /**
   * A condition of which nothing is known any more.
   *
   * @param created when the node was created, if it has never told the condition; empty if it has
   */
  private static MapNode unknown(String type, String created, Instant now) {
    MapNode.Builder condition =
        MapNode.builder(6).put("type", Node.text(type)).put("status", Node.text("Unknown"));
    if (created.isEmpty()) {
      condition
          .put("reason", Node.text("NodeStatusUnknown"))
          .put("message", Node.text("Kubelet stopped posting node status."));
    } else {
      condition
          .put("reason", Node.text("NodeStatusNeverUpdated"))
          .put("message", Node.text("Kubelet never posted node status."))
          .put("lastHeartbeatTime", Node.text(created));
    }
    return condition.put("lastTransitionTime", Node.text(Times.text(now))).build();
  }

  private void tellPods(NodeFacts node, Instant now) throws InterruptedException {
    for (PodFacts pod : pods.list()) {
      if (pod.node().equals(node.name()) && pod.ready()) {
        MapNode condition = PodCondition.of("Ready", false, "", "", pod.generation(), now);
        patchStatus(PodFacts.TYPE.resource(), pod.name(), pod.uid(), List.of(condition));
        events.record(
            ObjectReference.of("v1", "Pod", pod.name().namespace(), pod.name().name(), pod.uid()),
            EventRecorder.Type.WARNING,
            "NodeNotReady",
            "Node is not ready");
      }
    }
  }

  private void patchStatus(
      GroupVersionResource resource, ObjectName name, String uid, List<Node> conditions)
      throws InterruptedException {
    try {
      Written unused =
          client.patch(
              resource,
              name.namespace(),
              name.name(),
              "status",
              Patch.STRATEGIC_MERGE,
              MapNode.of("metadata", MapNode.of("uid", Node.text(uid)))
                  .with("status", MapNode.of("conditions", new Items(conditions))));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
      // it is gone, or another one of its name has come
    }
  }

  private final class NodeChanges implements ObjectListener<NodeFacts> {

    @Override
    public void added(ObjectName name, NodeFacts node) {
      if (!isRight(node)) {
        queue.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, NodeFacts before, NodeFacts after) {
      added(name, after);
    }

    @Override
    public void deleted(ObjectName name, NodeFacts last) {
      // the monitor forgets it
    }
  }
}
