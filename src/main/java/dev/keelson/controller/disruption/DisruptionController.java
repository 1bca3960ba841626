package dev.keelson.controller.disruption;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.disruption.BudgetStatus.Wanted;
import dev.keelson.controller.disruption.Scales.Expected;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.manager.ControllerContext;
import dev.keelson.controller.workload.PodCondition;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.SelectorText;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keeps the status of PodDisruptionBudgets: how many pods they expect, how many are healthy, and
 * how many may be evicted. Pods whose eviction was allowed count as unhealthy until they are
 * deleted, at most for two minutes (source: Kubernetes' {@code pkg/controller/disruption}).
 */
public final class DisruptionController implements Controller {

  /** The name of the controller, and of its service account. */
  public static final String NAME = "disruption-controller";

  /** How long a pod that was to be deleted is expected to be. */
  private static final Duration DELETION_TIMEOUT = Duration.ofMinutes(2);

  private static final String COMPONENT = "controllermanager";
  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final ApiClient client;
  private final EventRecorder events;
  private final Scales scales;
  private final Informer<PodFacts> pods;
  private final Informer<BudgetFacts> budgets;
  private final InstantSource clock;
  private final Duration timeout;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("disruption", FIRST_PAUSE, LONGEST_PAUSE);
  private final WorkQueue<ObjectName> stale =
      new WorkQueue<>("stale_pod_disruption", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("disruption", 1, queue, this::reconcile);
  private final ControllerLoop cleaners =
      ControllerLoop.workers("stale-disruption", 1, stale, this::reset);

  /** A controller that has not started. */
  public DisruptionController(ControllerContext context) {
    this(context, DELETION_TIMEOUT);
  }

  /**
   * A controller that has not started.
   *
   * @param timeout how long a pod that was to be deleted is expected to be
   */
  public DisruptionController(ControllerContext context, Duration timeout) {
    this.client = context.client(NAME);
    this.clock = context.clock();
    this.timeout = timeout;
    this.events = new EventRecorder(client, COMPONENT, clock, context.nanos());
    this.scales = new Scales(client);
    this.pods = context.informers().of(PodFacts.TYPE);
    this.budgets = context.informers().of(BudgetFacts.TYPE);
  }

  @Override
  public void start() throws InterruptedException {
    budgets.listen(NameListener.ofPresent(queue::add));
    pods.listen(new PodChanges());
    events.start();
    budgets.awaitSync();
    pods.awaitSync();
    workers.start();
    cleaners.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue, stale);
  }

  @Override
  public void close() {
    workers.close();
    cleaners.close();
    events.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    BudgetFacts facts = budgets.get(name).orElse(null);
    ApiObject budget = client.get(BudgetFacts.RESOURCE, name.namespace(), name.name()).orElse(null);
    if (facts == null || budget == null) {
      return Outcome.DONE;
    }
    try {
      judge(name, budget, BudgetFacts.of(budget));
      return Outcome.DONE;
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.reason() == Reason.NOT_FOUND) {
        // somebody else has written it
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private void judge(ObjectName name, ApiObject budget, BudgetFacts facts)
      throws InterruptedException {
    List<PodFacts> selected =
        pods.list(name.namespace()).stream().filter(pod -> facts.selects(pod.labels())).toList();
    if (selected.isEmpty()) {
      events.record(reference(budget), Type.NORMAL, "NoPods", "No matching pods found");
    }
    Wanted wanted;
    try {
      wanted = wanted(budget, selected);
    } catch (ApiException e) {
      String problem = "Failed to calculate the number of expected pods: " + e.text();
      events.record(reference(budget), Type.WARNING, "CalculateExpectedPodCountFailed", problem);
      write(budget, BudgetStatus.failed(budget, e.text(), clock.instant()));
      return;
    }
    Instant now = clock.instant();
    Map<String, String> disrupted = disrupted(budget, selected, now);
    int healthy = 0;
    for (PodFacts pod : selected) {
      boolean stays = !pod.deleting() && !disrupted.containsKey(pod.name().name());
      healthy += stays && pod.ready() ? 1 : 0;
    }
    write(budget, BudgetStatus.of(budget, wanted, healthy, disrupted, now));
    disrupted.values().stream()
        .map(since -> Times.instant(since).plus(timeout))
        .min(Comparator.naturalOrder())
        .ifPresent(end -> queue.addAfter(name, Duration.between(now, end).plusMillis(1)));
  }

  private Wanted wanted(ApiObject budget, List<PodFacts> selected) throws InterruptedException {
    MapNode spec = budget.root().map("spec");
    if (!BudgetStatus.needsScale(spec)) {
      return BudgetStatus.wanted(spec, selected.size());
    }
    Expected expected = scales.of(budget.meta().namespace(), selected);
    if (!expected.unmanaged().isEmpty()) {
      events.record(
          reference(budget),
          Type.WARNING,
          "UnmanagedPods",
          "Pods selected by this PodDisruptionBudget (selector: "
              + SelectorText.of(spec.map("selector"))
              + ") were found to be unmanaged. As a result, the status of the PDB cannot be"
              + " calculated correctly, which may result in undefined behavior. To account for"
              + " these pods please set \".spec.minAvailable\" field of the PDB to an integer"
              + " value.");
    }
    return BudgetStatus.wanted(spec, expected.pods());
  }

  /** The pods whose eviction was allowed, and that are still expected to be deleted. */
  private Map<String, String> disrupted(ApiObject budget, List<PodFacts> selected, Instant now) {
    MapNode told = budget.root().map("status").map("disruptedPods");
    Map<String, String> disrupted = new LinkedHashMap<>();
    if (told.isEmpty()) {
      return disrupted;
    }
    Map<String, PodFacts> remaining = new TreeMap<>();
    for (PodFacts pod : selected) {
      if (!pod.deleting() && told.has(pod.name().name())) {
        PodFacts unused = remaining.put(pod.name().name(), pod);
      }
    }
    remaining.forEach(
        (name, pod) -> {
          String since = told.text(name);
          if (Times.instant(since).plus(timeout).isBefore(now)) {
            // Kubernetes' words name the namespace twice
            String namespace = budget.meta().namespace();
            events.record(
                reference(pod),
                Type.WARNING,
                "NotDeleted",
                "Pod was expected by PDB %s/%s to be deleted but it wasn't"
                    .formatted(namespace, namespace));
          } else {
            String unused = disrupted.put(name, since);
          }
        });
    return disrupted;
  }

  private void write(ApiObject budget, MapNode status) throws InterruptedException {
    if (!BudgetStatus.same(status, budget.root().map("status"))) {
      Written unused = client.updateStatus(BudgetFacts.RESOURCE, budget.with("status", status));
    }
  }

  /** Ends the condition DisruptionTarget of a pod that was not deleted in time. */
  private Outcome reset(ObjectName name) throws InterruptedException {
    PodFacts pod = pods.get(name).orElse(null);
    Instant since = pod == null ? null : pod.disruptedSince();
    if (pod == null || since == null || !pod.active()) {
      return Outcome.DONE;
    }
    Instant now = clock.instant();
    Duration left = Duration.between(now, since.plus(timeout));
    if (left.isPositive()) {
      stale.addAfter(name, left);
      return Outcome.DONE;
    }
    MapNode condition =
        PodCondition.of("DisruptionTarget", false, "", "", pod.generation(), now)
            .with("reason", Node.Null.NULL)
            .with("message", Node.Null.NULL);
    MapNode patch =
        MapNode.of("metadata", MapNode.of("uid", Node.text(pod.uid())))
            .with("status", MapNode.of("conditions", new Items(List.of(condition))));
    try {
      Written unused =
          client.patch(PODS, name.namespace(), name.name(), "status", Patch.STRATEGIC_MERGE, patch);
      return Outcome.DONE;
    } catch (ApiException e) {
      if (e.reason() == Reason.NOT_FOUND || e.reason() == Reason.CONFLICT) {
        // it is gone, or another one of its name has come, which is looked at by itself
        return Outcome.DONE;
      }
      throw e;
    }
  }

  private static ObjectReference reference(ApiObject budget) {
    return ObjectReference.of(
        "policy/v1",
        "PodDisruptionBudget",
        budget.meta().namespace(),
        budget.meta().name(),
        budget.meta().uid());
  }

  private static ObjectReference reference(PodFacts pod) {
    return ObjectReference.of("v1", "Pod", pod.name().namespace(), pod.name().name(), pod.uid());
  }

  private final class PodChanges implements ObjectListener<PodFacts> {

    @Override
    public void added(ObjectName name, PodFacts pod) {
      List<BudgetFacts> found = matching(pod);
      found.forEach(budget -> queue.add(budget.name()));
      if (found.size() > 1) {
        events.record(
            reference(pod),
            Type.WARNING,
            "MultiplePodDisruptionBudgets",
            "Pod \"%s\"/\"%s\" matches multiple PodDisruptionBudgets.  Chose \"%s\" arbitrarily."
                .formatted(name.namespace(), name.name(), found.getFirst().name().name()));
      }
      if (pod.disruptedSince() != null && pod.active()) {
        stale.add(name);
      }
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      if (!before.equals(after)) {
        added(name, after);
        if (!before.labels().equals(after.labels())) {
          matching(before).forEach(budget -> queue.add(budget.name()));
        }
      }
    }

    @Override
    public void deleted(ObjectName name, PodFacts last) {
      matching(last).forEach(budget -> queue.add(budget.name()));
    }

    private List<BudgetFacts> matching(PodFacts pod) {
      return budgets.list(pod.name().namespace()).stream()
          .filter(budget -> budget.selects(pod.labels()))
          .toList();
    }
  }
}
