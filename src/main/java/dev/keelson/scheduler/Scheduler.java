package dev.keelson.scheduler;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.InformerType;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.scheduler.device.Devices;
import dev.keelson.scheduler.volume.VolumeNeeds;
import dev.keelson.scheduler.volume.Volumes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Binds pods without a node to nodes, one after another; the bindings are written side by side. */
public final class Scheduler implements Controller {

  /** The default of {@code spec.schedulerName}, and the component in Events. */
  public static final String NAME = "default-scheduler";

  private static final Logger LOG = Logger.getLogger(Scheduler.class);

  private static final InformerType<Map<String, String>> NAMESPACES =
      new InformerType<>(
          GroupVersion.CORE_V1.resource("namespaces"),
          namespace -> Map.copyOf(namespace.meta().labels()),
          List.of());

  private final PodWrites writes;
  private final Informer<PodView> pods;
  private final Informer<NodeView> nodes;
  private final Informer<Map<String, String>> namespaces;
  private final Informer<BudgetView> budgets;
  private final Volumes volumes;
  private final Devices devices;
  private final PodQueue queue;
  private final Binder binder;
  private final SchedulerMetrics metrics;
  private final LongSupplier nanos;
  private final ControllerLoop loop =
      ControllerLoop.every("scheduler", Duration.ZERO, this::scheduleNext);

  /** Guards the cluster; no other lock is taken under it. */
  private final ReentrantLock lock = new ReentrantLock();

  private final Cluster cluster = new Cluster();

  private final NodeSearch search = new NodeSearch(cluster, this::labelsOf);

  /**
   * A scheduler that has not started.
   *
   * @param host the name of this host, which its Events tell
   */
  public Scheduler(ControllerContext context, String host, SchedulerMetrics metrics) {
    this.metrics = metrics;
    this.nanos = context.nanos();
    this.writes = new PodWrites(NAME, host, context);
    this.pods = context.informers().of(PodView.TYPE);
    this.nodes = context.informers().of(NodeView.TYPE);
    this.namespaces = context.informers().of(NAMESPACES);
    this.budgets = context.informers().of(BudgetView.TYPE);
    this.volumes = new Volumes(context.informers());
    this.devices =
        new Devices(context.informers(), context.ownClient(), context.nanos(), context.clock());
    this.queue = new PodQueue(context.nanos());
    this.binder = new Binder(writes, devices, queue, this::forget, metrics, nanos);
  }

  @Override
  public void start() throws InterruptedException {
    nodes.listen(new NodeChanges());
    pods.listen(new PodChanges());
    volumes.listen(queue::retry);
    devices.listen(queue::retry);
    writes.start();
    nodes.awaitSync();
    pods.awaitSync();
    namespaces.awaitSync();
    budgets.awaitSync();
    volumes.awaitSync();
    devices.awaitSync();
    metrics.measure(this::waiting);
    loop.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of();
  }

  @Override
  public void close() {
    loop.close();
    writes.close();
  }

  private Map<String, String> labelsOf(String namespace) {
    return namespaces.get(new ObjectName("", namespace)).orElse(Map.of());
  }

  private int waiting(SchedulerMetrics.Waiting reason) {
    return reason == SchedulerMetrics.Waiting.GATED
        ? (int) pods.list().stream().filter(Scheduler::isGated).count()
        : queue.size(reason);
  }

  private static boolean isGated(PodView pod) {
    Wants wants = pod.wants();
    return wants != null && wants.gated() && !pod.ended() && wants.scheduler().equals(NAME);
  }

  private void scheduleNext() throws InterruptedException {
    PodView pod = queue.next();
    Wants wants = pod.wants();
    if (wants == null || pod.deleting()) {
      queue.remove(pod.name());
      return;
    }
    if (isPlaced(pod)) {
      // its binding is under way, and tells the queue how it ends
      return;
    }
    long begin = nanos.getAsLong();
    try {
      place(pod, wants, begin);
    } catch (ApiException e) {
      metrics.attempted(SchedulerMetrics.Result.ERROR, nanos.getAsLong() - begin);
      queue.failed(pod.name());
      queue.retry();
      throw e;
    }
  }

  private boolean isPlaced(PodView pod) {
    lock.lock();
    try {
      return cluster.placed(pod.id()) != null;
    } finally {
      lock.unlock();
    }
  }

  private void place(PodView pod, Wants wants, long begin) throws InterruptedException {
    Needs needs =
        new Needs(
            volumes.needs(pod),
            devices.needs(pod.name(), pod.uid(), wants.claims(), wants.extended()));
    if (needs.devices().areMissing()) {
      LOG.debugf("event=pod-waits pod=%s reason=%s", pod.name(), needs.devices().refusal());
      queue.park(pod.name());
      return;
    }
    Refusal refusal;
    Room chosen = null;
    Preemption.Candidate candidate = null;
    String ineligible = "";
    List<PodView> outdone = List.of();
    lock.lock();
    try {
      refusal = new Refusal(cluster.rooms().size());
      String whole = wants.contradiction().isEmpty() ? needs.refusal() : wants.contradiction();
      if (!whole.isEmpty()) {
        refusal.everywhere(whole);
      } else {
        chosen = search.find(pod, wants, needs, refusal);
      }
      if (chosen == null) {
        ineligible = ineligible(pod, wants, refusal);
        if (ineligible.isEmpty()) {
          candidate = refusal.isCrowded() ? candidate(pod, wants, needs, refusal) : null;
          outdone = nominate(pod, candidate);
        }
      }
      if (chosen != null && !needs.volumes().unbound().isEmpty()) {
        // the room is the pod's while its volumes are made
        cluster.nominations().put(pod, chosen.node().name());
      } else if (chosen != null) {
        cluster.put(pod.on(chosen.node().name()));
        cluster.nominations().remove(pod.id());
        devices.assume(needs.devices(), chosen.node().name());
      }
    } finally {
      lock.unlock();
    }
    if (chosen == null) {
      refuse(pod, wants, needs, refusal, ineligible, candidate);
      for (PodView other : outdone) {
        writes.nominate(other, "");
      }
      count(refusal, candidate, begin);
      return;
    }
    metrics.chose(nanos.getAsLong() - begin);
    if (needs.volumes().unbound().isEmpty()) {
      binder.bind(pod, needs, chosen.node().name(), begin);
    } else {
      selectNode(pod, needs.volumes(), chosen.node().name());
    }
  }

  /** Why no room may be made for a pod; empty if it may. */
  private String ineligible(PodView pod, Wants wants, Refusal refusal) {
    if (refusal.result() == SchedulerMetrics.Result.ERROR) {
      return "an error";
    }
    if (!wants.preempts()) {
      return "preemptionPolicy=Never";
    }
    Room nominated = wants.nominated().isEmpty() ? null : cluster.room(wants.nominated());
    if (nominated == null || !refusal.occupied().contains(nominated)) {
      return "";
    }
    for (PodView other : nominated.pods()) {
      if (other.preempted() && other.priority() < pod.priority()) {
        return "a terminating pod on the nominated node";
      }
    }
    return "";
  }

  private Preemption.@Nullable Candidate candidate(
      PodView pod, Wants wants, Needs needs, Refusal refusal) {
    return cluster
        .nominations()
        .placing(
            cluster.nominations().before(pod),
            () ->
                Preemption.find(
                    pod, wants, needs, refusal.occupied(), cluster, budgets.list(), this::labelsOf))
        .orElse(null);
  }

  /** Keeps the room that is made for a pod, if any; returns those that lose theirs to it. */
  private List<PodView> nominate(PodView pod, Preemption.@Nullable Candidate candidate) {
    if (candidate == null) {
      cluster.nominations().remove(pod.id());
      return List.of();
    }
    cluster.nominations().put(pod, candidate.node());
    return cluster.nominations().removeBelow(pod, candidate.node());
  }

  private void count(Refusal refusal, Preemption.@Nullable Candidate candidate, long begin) {
    metrics.attempted(refusal.result(), nanos.getAsLong() - begin);
    metrics.preempted(candidate == null ? 0 : candidate.victims().size());
  }

  /** The binding was not written; the pod may have been bound by somebody else. */
  private void forget(PodView pod) {
    lock.lock();
    try {
      cluster.remove(pod.id());
      pods.get(pod.name())
          .filter(known -> known.id().equals(pod.id()) && known.occupies())
          .ifPresent(cluster::put);
      pods.get(pod.name()).filter(known -> known.id().equals(pod.id())).ifPresent(this::nominated);
    } finally {
      lock.unlock();
    }
  }

  /** Volumes of the node are made for the claims; the pod is bound when they are. */
  private void selectNode(PodView pod, VolumeNeeds needs, String node) throws InterruptedException {
    queue.failed(pod.name());
    Wants wants = pod.wants();
    if (wants == null || !wants.nominated().equals(node)) {
      writes.nominate(pod, node);
    }
    writes.selectNode(pod, needs.unbound(), node);
  }

  private void refuse(
      PodView pod,
      Wants wants,
      Needs needs,
      Refusal refusal,
      String ineligible,
      Preemption.@Nullable Candidate candidate)
      throws InterruptedException {
    queue.failed(pod.name());
    boolean failed = refusal.result() == SchedulerMetrics.Result.ERROR;
    String freed = failed ? "" : devices.free(pod.uid(), needs.devices());
    String message = refusal.message(candidate != null, ineligible, freed);
    String node = candidate == null ? "" : candidate.node();
    boolean moves = ineligible.isEmpty() && !node.equals(wants.nominated());
    boolean news = !message.equals(wants.message()) || moves;
    writes.refuse(pod, refusal.reason(), message, moves ? node : null, news);
    if (candidate != null) {
      for (PodView victim : candidate.victims()) {
        writes.preempt(victim, pod, candidate.node());
      }
    }
  }

  /** Keeps the room that a pod without a node is told to have; what is not told yet stays. */
  private void nominated(PodView pod) {
    Wants wants = pod.wants();
    if (wants != null && !wants.nominated().isEmpty()) {
      cluster.nominations().put(pod, wants.nominated());
    }
  }

  private void keepNomination(PodView pod) {
    lock.lock();
    try {
      nominated(pod);
    } finally {
      lock.unlock();
    }
  }

  private void dropNomination(PodView pod) {
    lock.lock();
    try {
      cluster.nominations().remove(pod.id());
    } finally {
      lock.unlock();
    }
  }

  private final class NodeChanges implements ObjectListener<NodeView> {

    @Override
    public void added(ObjectName name, NodeView node) {
      lock.lock();
      try {
        cluster.put(node);
      } finally {
        lock.unlock();
      }
      queue.retry();
    }

    @Override
    public void updated(ObjectName name, NodeView before, NodeView after) {
      if (!before.equals(after)) {
        added(name, after);
      }
    }

    @Override
    public void deleted(ObjectName name, NodeView last) {
      lock.lock();
      try {
        cluster.removeNode(last.name());
      } finally {
        lock.unlock();
      }
      queue.retry();
    }
  }

  private final class PodChanges implements ObjectListener<PodView> {

    @Override
    public void added(ObjectName name, PodView pod) {
      Wants wants = pod.wants();
      if (wants == null) {
        queue.remove(name);
        if (pod.occupies()) {
          lock.lock();
          try {
            cluster.put(pod);
            cluster.nominations().remove(pod.id());
          } finally {
            lock.unlock();
          }
          if (!pod.labels().isEmpty()) {
            // another pod may want to be near it
            queue.retry();
          }
        } else {
          leave(pod);
        }
      } else if (!pod.deleting() && !pod.ended() && wants.scheduler().equals(NAME)) {
        if (!wants.gated()) {
          keepNomination(pod);
          queue.put(pod);
        }
      } else {
        queue.remove(name);
        dropNomination(pod);
      }
    }

    @Override
    public void updated(ObjectName name, PodView before, PodView after) {
      if (!before.id().equals(after.id())) {
        deleted(name, before);
        added(name, after);
        return;
      }
      Wants old = before.wants();
      Wants now = after.wants();
      boolean same = before.isLike(after);
      if (now != null && now.nominated().isEmpty() && old != null && !old.nominated().isEmpty()) {
        dropNomination(before);
      }
      if (now != null && old != null && (same || onlyTold(before, after, old, now))) {
        if (!same) {
          keepNomination(after);
        }
        queue.replace(after);
        return;
      }
      if (!same) {
        added(name, after);
      }
    }

    /** Whether only this scheduler's own words have changed. */
    private boolean onlyTold(PodView before, PodView after, Wants old, Wants now) {
      return !after.deleting()
          && old.gated() == now.gated()
          && before.requests().equals(after.requests())
          && before.labels().equals(after.labels())
          && old.tolerations().equals(now.tolerations())
          && old.required().equals(now.required())
          && old.claims().equals(now.claims());
    }

    @Override
    public void deleted(ObjectName name, PodView last) {
      queue.remove(name);
      leave(last);
    }

    private void leave(PodView pod) {
      lock.lock();
      try {
        cluster.remove(pod.id());
        cluster.nominations().remove(pod.id());
      } finally {
        lock.unlock();
      }
      queue.retry();
    }
  }
}
