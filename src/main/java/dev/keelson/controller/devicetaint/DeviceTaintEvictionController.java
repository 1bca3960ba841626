package dev.keelson.controller.devicetaint;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.devicetaint.DeviceClaim.Allocated;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.workload.EvictionMetrics;
import dev.keelson.controller.workload.PodCondition;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.PodNeeds;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Deletes the pods that use devices with a NoExecute taint which their claims do not tolerate, or
 * not any longer (source: Kubernetes' {@code pkg/controller/devicetainteviction}). DeviceTaintRules
 * are not served, so that all taints are in ResourceSlices. Pods without claims cost nothing.
 */
public final class DeviceTaintEvictionController implements Controller {
  /*
   * The informers alone decide: a change of a claim, a slice or a pod queues the pods whose end it
   * may change, and each look at a pod reckons its end from them. What is kept beside them tells
   * which pods wait for their end, for the Event that they may stay, and which were deleted, so that
   * an informer that is behind does not have them deleted again.
   */

  /** The name in {@code --controllers}, of the service account, in Events and of the queue. */
  public static final String NAME = "device-taint-eviction-controller";

  private static final String REASON = "DeviceTaintManagerEviction";
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final int WORKERS = 8;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final ApiClient client;
  private final InstantSource clock;
  private final EvictionMetrics metrics;
  private final EventRecorder events;
  private final Informer<PodFacts> pods;
  private final Informer<DeviceClaim> claims;
  private final Informer<DeviceSlice> slices;
  private final WorkQueue<ObjectName> queue = new WorkQueue<>(NAME, FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("device-taint-eviction", WORKERS, queue, this::reconcile);

  /** The uids of the pods that have to go later. */
  private final Set<String> waiting = ConcurrentHashMap.newKeySet();

  /** The uids of the pods that were deleted here and are still there. */
  private final Set<String> evicted = ConcurrentHashMap.newKeySet();

  /** Not yet started. */
  public DeviceTaintEvictionController(ControllerContext context, EvictionMetrics metrics) {
    this.client = context.client(NAME);
    this.clock = context.clock();
    this.metrics = metrics;
    this.events = new EventRecorder(client, NAME, clock, context.nanos());
    this.pods = context.informers().of(PodFacts.TYPE);
    this.claims = context.informers().of(DeviceClaim.TYPE);
    this.slices = context.informers().of(DeviceSlice.TYPE);
  }

  @Override
  public void start() throws InterruptedException {
    slices.awaitSync();
    claims.awaitSync();
    pods.awaitSync();
    events.start();
    pods.listen(new PodChanges());
    claims.listen(new ClaimChanges());
    slices.listen(new SliceChanges());
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
    PodFacts pod = pods.get(name).orElse(null);
    if (pod == null || !pod.active()) {
      return Outcome.DONE;
    }
    Instant end = end(pod);
    if (end == null) {
      if (waiting.remove(pod.uid())) {
        tell(pod, "Cancelling deletion");
      }
      return Outcome.DONE;
    }
    Duration left = Duration.between(clock.instant(), end);
    if (left.isPositive()) {
      boolean unused = waiting.add(pod.uid());
      queue.addAfter(name, left);
    } else if (!evicted.contains(pod.uid())) {
      evict(pod, end);
      boolean unused = waiting.remove(pod.uid());
    }
    return Outcome.DONE;
  }

  /** When a pod has to go; null if it may stay. */
  private @Nullable Instant end(PodFacts pod) {
    PodNeeds needs = pod.needs();
    if (needs == null || pod.node().isEmpty()) {
      return null;
    }
    Instant earliest = null;
    for (String name : needs.resourceClaims()) {
      DeviceClaim claim = claims.get(new ObjectName(pod.name().namespace(), name)).orElse(null);
      if (claim != null && claim.consumers().contains(pod.uid())) {
        Instant end = claim.end(this::taints);
        earliest = end != null && (earliest == null || end.isBefore(earliest)) ? end : earliest;
      }
    }
    return earliest;
  }

  private List<EvictingTaint> taints(Allocated device) {
    return DeviceSlice.taints(slices.by(DeviceSlice.BY_POOL, device.pool()), device.device());
  }

  private void evict(PodFacts pod, Instant end) throws InterruptedException {
    ObjectName name = pod.name();
    ApiObject stored = client.get(PODS, name.namespace(), name.name()).orElse(null);
    if (stored == null || !stored.meta().uid().equals(pod.uid()) || stored.meta().deleting()) {
      return;
    }
    tell(pod, "Marking for deletion");
    // before it may be told to be gone
    boolean unused = evicted.add(pod.uid());
    try {
      Written unused2 =
          client.patch(
              PODS, name.namespace(), name.name(), "status", Patch.STRATEGIC_MERGE, mark(pod));
      client.delete(
          PODS,
          name.namespace(),
          name.name(),
          new DeleteRequest(pod.uid(), "", DeleteRequest.Dependents.DEFAULT));
    } catch (ApiException e) {
      boolean unused2 = evicted.remove(pod.uid());
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
      // it is gone, or another one of its name has come, which is looked at by itself
      return;
    }
    metrics.evicted(Duration.between(end, clock.instant()));
  }

  private MapNode mark(PodFacts pod) {
    MapNode condition =
        PodCondition.of(
            "DisruptionTarget",
            true,
            "DeletionByDeviceTaintManager",
            "Device Taint manager: deleting due to NoExecute taint",
            /* generation= */ 0,
            clock.instant());
    return MapNode.of("metadata", MapNode.of("uid", Node.text(pod.uid())))
        .with("status", MapNode.of("conditions", new Items(List.of(condition))));
  }

  private void tell(PodFacts pod, String message) {
    ObjectName name = pod.name();
    events.record(
        ObjectReference.of("v1", "Pod", name.namespace(), name.name(), pod.uid()),
        EventRecorder.Type.NORMAL,
        REASON,
        message);
  }

  private final class PodChanges implements ObjectListener<PodFacts> {

    @Override
    public void added(ObjectName name, PodFacts pod) {
      if (pod.needs() != null && !pod.node().isEmpty()) {
        queue.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      boolean same = before.id().equals(after.id());
      if (!same) {
        deleted(name, before);
      }
      // not when its conditions change, as by the mark of an eviction
      if (!same
          || !before.node().equals(after.node())
          || !Objects.equals(before.needs(), after.needs())) {
        added(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, PodFacts last) {
      if (last.needs() != null) {
        boolean unused = waiting.remove(last.uid());
        boolean unused2 = evicted.remove(last.uid());
      }
    }
  }

  private final class ClaimChanges implements ObjectListener<DeviceClaim> {

    @Override
    public void added(ObjectName name, DeviceClaim claim) {
      if (!claim.devices().isEmpty()) {
        queuePods(name);
      }
    }

    @Override
    public void updated(ObjectName name, DeviceClaim before, DeviceClaim after) {
      if (!before.equals(after)) {
        queuePods(name);
      }
    }

    @Override
    public void deleted(ObjectName name, DeviceClaim last) {
      added(name, last);
    }
  }

  private void queuePods(ObjectName claim) {
    pods.by(PodFacts.BY_RESOURCE_CLAIM, claim.toString()).forEach(pod -> queue.add(pod.name()));
  }

  private final class SliceChanges implements ObjectListener<DeviceSlice> {

    @Override
    public void added(ObjectName name, DeviceSlice slice) {
      queueAll(slice);
    }

    @Override
    public void updated(ObjectName name, DeviceSlice before, DeviceSlice after) {
      if (!before.pool().equals(after.pool()) || before.generation() != after.generation()) {
        queueAll(before);
        queueAll(after);
        return;
      }
      Set<String> devices = new HashSet<>(before.taints().keySet());
      devices.addAll(after.taints().keySet());
      devices.removeIf(
          device -> Objects.equals(before.taints().get(device), after.taints().get(device)));
      queueUsers(after.pool(), devices);
    }

    @Override
    public void deleted(ObjectName name, DeviceSlice last) {
      queueAll(last);
    }

    /** All that have taints in a pool: a generation decides which slices count. */
    private void queueAll(DeviceSlice slice) {
      Set<String> devices = new HashSet<>(slice.taints().keySet());
      slices
          .by(DeviceSlice.BY_POOL, slice.pool())
          .forEach(each -> devices.addAll(each.taints().keySet()));
      queueUsers(slice.pool(), devices);
    }

    private void queueUsers(String pool, Set<String> devices) {
      for (String device : devices) {
        claims
            .by(DeviceClaim.BY_DEVICE, Allocated.key(pool, device))
            .forEach(claim -> queuePods(claim.name()));
      }
    }
  }
}
