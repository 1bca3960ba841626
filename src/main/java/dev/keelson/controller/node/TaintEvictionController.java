package dev.keelson.controller.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.informer.Index;
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
import dev.keelson.controller.fit.Taint;
import dev.keelson.controller.fit.Toleration;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.workload.EvictionMetrics;
import dev.keelson.controller.workload.PodCondition;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.SharedInstances;
import dev.keelson.value.SharedText;
import dev.keelson.value.Uid;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the pods that do not tolerate a NoExecute taint of their node, or not any longer (source:
 * Kubernetes' {@code pkg/controller/tainteviction}).
 */
public final class TaintEvictionController implements Controller {

  /** The name of the service account, which it has in common with the node lifecycle controller. */
  public static final String ACCOUNT = "node-controller";

  private static final String COMPONENT = "taint-eviction-controller";
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final int WORKERS = 8;

  private static final InformerType<List<Taint>> TAINTS =
      new InformerType<>(
          NodeFacts.RESOURCE,
          node ->
              Taint.of(node.root().map("spec")).stream()
                  .filter(taint -> taint.effect().equals(Taint.NO_EXECUTE))
                  .toList(),
          List.of());

  private static final Index<Tolerant> BY_NODE = new Index<>(pod -> List.of(pod.node()));
  private static final InformerType<Tolerant> TOLERANTS =
      new InformerType<>(PODS, Tolerant::of, List.of(BY_NODE));

  /**
   * A toleration and its end.
   *
   * @param seconds for how long; null for ever
   */
  private record Limited(Toleration toleration, @Nullable Long seconds) {}

  /**
   * What decides about a pod.
   *
   * @param running whether it is neither being deleted nor at its end
   */
  private record Tolerant(
      ObjectName name,
      Uid id,
      long generation,
      String node,
      boolean running,
      List<Limited> tolerations) {

    /** Most pods have those that admission gives them. */
    private static final SharedInstances<List<Limited>> COMMON = new SharedInstances<>();

    Tolerant {
      node = SharedText.of(node);
      tolerations = COMMON.of(tolerations);
    }

    static Tolerant of(ApiObject pod) {
      MapNode spec = pod.root().map("spec");
      String phase = pod.root().map("status").text("phase");
      List<MapNode> nodes = spec.maps("tolerations");
      List<Toleration> all = Toleration.of(spec);
      List<Limited> limited = new ArrayList<>();
      for (int i = 0; i < all.size(); i++) {
        Long seconds =
            nodes.get(i).get("tolerationSeconds") instanceof Node.Int number
                ? Long.valueOf(number.value())
                : null;
        limited.add(new Limited(all.get(i), seconds));
      }
      return new Tolerant(
          ObjectName.of(pod.meta()),
          Uid.of(pod.meta().uid()),
          pod.meta().generation(),
          spec.text("nodeName"),
          !pod.meta().deleting() && !phase.equals("Succeeded") && !phase.equals("Failed"),
          List.copyOf(limited));
    }

    String uid() {
      return id.toString();
    }

    /** How long the taints are tolerated; zero if not at all, null for ever. */
    @Nullable Duration tolerates(List<Taint> taints) {
      Duration least = null;
      for (Taint taint : taints) {
        Limited limited = first(taint);
        if (limited == null) {
          return Duration.ZERO;
        }
        Long seconds = limited.seconds();
        if (seconds != null) {
          Duration time = Duration.ofSeconds(Math.max(0, seconds));
          least = least == null || time.compareTo(least) < 0 ? time : least;
        }
      }
      return least;
    }

    /** The first toleration of a taint, which alone counts for it; null if there is none. */
    private @Nullable Limited first(Taint taint) {
      for (Limited limited : tolerations) {
        if (limited.toleration().tolerates(taint)) {
          return limited;
        }
      }
      return null;
    }
  }

  private final ApiClient client;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final EvictionMetrics metrics;
  private final EventRecorder events;
  private final Informer<List<Taint>> nodes;
  private final Informer<Tolerant> pods;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("noexec_taint_pod", Duration.ofMillis(10), Duration.ofMinutes(1));
  private final ControllerLoop workers =
      ControllerLoop.workers("taint-eviction", WORKERS, queue, this::reconcile);

  /** Since when each pod stands its taints, by its uid; in nanoseconds. */
  private final Map<String, Long> since = new ConcurrentHashMap<>();

  /** A controller that has not started. */
  public TaintEvictionController(ControllerContext context, EvictionMetrics metrics) {
    this.metrics = metrics;
    this.client = context.client(ACCOUNT);
    this.clock = context.clock();
    this.nanos = context.nanos();
    this.events = new EventRecorder(client, COMPONENT, clock, nanos);
    this.nodes = context.informers().of(TAINTS);
    this.pods = context.informers().of(TOLERANTS);
  }

  @Override
  public void start() throws InterruptedException {
    nodes.listen(new TaintChanges());
    pods.listen(new PodChanges());
    events.start();
    nodes.awaitSync();
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
    events.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    Tolerant pod = pods.get(name).orElse(null);
    if (pod == null || !pod.running() || pod.node().isEmpty()) {
      return Outcome.DONE;
    }
    List<Taint> taints = nodes.get(new ObjectName("", pod.node())).orElse(List.of());
    Duration tolerated = taints.isEmpty() ? null : pod.tolerates(taints);
    if (tolerated == null) {
      if (since.remove(pod.uid()) != null) {
        events.record(
            reference(name, pod),
            EventRecorder.Type.NORMAL,
            "TaintManagerEviction",
            "Cancelling deletion of Pod " + name);
      }
      return Outcome.DONE;
    }
    long now = nanos.getAsLong();
    long begin = tolerated.isZero() ? now : since.computeIfAbsent(pod.uid(), uid -> now);
    Duration left = tolerated.minusNanos(now - begin);
    if (left.isPositive()) {
      queue.addAfter(name, left);
      return Outcome.DONE;
    }
    evict(name, pod, left.negated());
    Long unused = since.remove(pod.uid());
    return Outcome.DONE;
  }

  private void evict(ObjectName name, Tolerant pod, Duration late) throws InterruptedException {
    events.record(
        reference(name, pod),
        EventRecorder.Type.NORMAL,
        "TaintManagerEviction",
        "Marking for deletion Pod " + name);
    MapNode condition =
        PodCondition.of(
            "DisruptionTarget",
            true,
            "DeletionByTaintManager",
            "Taint manager: deleting due to NoExecute taint",
            pod.generation(),
            clock.instant());
    try {
      Written unused =
          client.patch(
              PODS,
              name.namespace(),
              name.name(),
              "status",
              Patch.STRATEGIC_MERGE,
              MapNode.of("metadata", MapNode.of("uid", Node.text(pod.uid())))
                  .with("status", MapNode.of("conditions", new Items(List.of(condition)))));
      client.delete(
          PODS,
          name.namespace(),
          name.name(),
          new DeleteRequest(pod.uid(), "", DeleteRequest.Dependents.DEFAULT));
      metrics.evicted(late);
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
      // it is gone, or another one of its name has come, which is looked at by itself
    }
  }

  private static ObjectReference reference(ObjectName name, Tolerant pod) {
    return ObjectReference.of("v1", "Pod", name.namespace(), name.name(), pod.uid());
  }

  private final class TaintChanges implements ObjectListener<List<Taint>> {

    @Override
    public void added(ObjectName name, List<Taint> taints) {
      if (!taints.isEmpty()) {
        all(name);
      }
    }

    @Override
    public void updated(ObjectName name, List<Taint> before, List<Taint> after) {
      if (!before.equals(after)) {
        all(name);
      }
    }

    @Override
    public void deleted(ObjectName name, List<Taint> last) {
      // its pods are collected by another controller
    }

    private void all(ObjectName node) {
      pods.by(BY_NODE, node.name()).forEach(pod -> queue.add(pod.name()));
    }
  }

  private final class PodChanges implements ObjectListener<Tolerant> {

    @Override
    public void added(ObjectName name, Tolerant pod) {
      if (pod.running() && !pod.node().isEmpty()) {
        queue.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, Tolerant before, Tolerant after) {
      if (!before.equals(after)) {
        added(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, Tolerant last) {
      Long unused = since.remove(last.uid());
    }
  }
}
