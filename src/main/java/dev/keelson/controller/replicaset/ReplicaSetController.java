package dev.keelson.controller.replicaset;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.replicaset.ReplicaSetStatus.Failure;
import dev.keelson.controller.workload.Batches;
import dev.keelson.controller.workload.Expectations;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodClaims;
import dev.keelson.controller.workload.PodControl;
import dev.keelson.controller.workload.PodDeletionOrder;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.controller.workload.ReplicaSetFacts.Variant;
import dev.keelson.controller.workload.UnansweredWrites;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Creates and deletes pods until each ReplicaSet has as many as it wants, and keeps its status; or
 * does so for ReplicationControllers (source: Kubernetes' {@code pkg/controller/replicaset} and
 * {@code pkg/controller/replication}).
 */
public final class ReplicaSetController implements Controller {

  /** The name of the controller, and of its service account. */
  public static final String NAME = "replicaset-controller";

  /** The name of the service account that acts for ReplicationControllers. */
  public static final String REPLICATION_CONTROLLER = "replication-controller";

  /** At most this many pods are created or deleted in one reconciliation. */
  private static final int BURST = 500;

  /** As kube-controller-manager ({@code --concurrent-replicaset-syncs}). */
  private static final int WORKERS = 5;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final Variant variant;
  private final GroupVersionResource resource;
  private final ApiClient client;
  private final EventRecorder events;
  private final PodControl control;
  private final PodClaims claims;
  private final Informer<PodFacts> pods;
  private final Informer<ReplicaSetFacts> sets;
  private final Expectations expectations;
  private final UnansweredWrites unanswered;
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue;
  private final ControllerLoop workers;

  /**
   * Not yet started.
   *
   * @param pods shared with other controllers; followed by the caller
   * @param sets shared with other controllers; followed by the caller
   * @param nanos a monotonic clock, in nanoseconds
   */
  public ReplicaSetController(
      ApiClient client,
      Informer<PodFacts> pods,
      Informer<ReplicaSetFacts> sets,
      InstantSource clock,
      LongSupplier nanos) {
    this(Variant.REPLICA_SET, client, pods, sets, clock, nanos);
  }

  /**
   * The controller of ReplicationControllers, not yet started.
   *
   * @param pods shared with other controllers; followed by the caller
   * @param sets of the type {@link ReplicaSetFacts#REPLICATION_CONTROLLERS}; followed by the caller
   * @param nanos a monotonic clock, in nanoseconds
   */
  public static ReplicaSetController ofReplicationControllers(
      ApiClient client,
      Informer<PodFacts> pods,
      Informer<ReplicaSetFacts> sets,
      InstantSource clock,
      LongSupplier nanos) {
    return new ReplicaSetController(
        Variant.REPLICATION_CONTROLLER, client, pods, sets, clock, nanos);
  }

  private ReplicaSetController(
      Variant variant,
      ApiClient client,
      Informer<PodFacts> pods,
      Informer<ReplicaSetFacts> sets,
      InstantSource clock,
      LongSupplier nanos) {
    this.variant = variant;
    this.resource = variant.resource();
    this.client = client;
    this.events = new EventRecorder(client, account(variant), clock, nanos);
    this.control = new PodControl(client, events);
    this.claims = new PodClaims(pods, control);
    this.pods = pods;
    this.sets = sets;
    this.expectations = new Expectations(nanos);
    this.unanswered = new UnansweredWrites(client, pods);
    this.clock = clock;
    this.queue = new WorkQueue<>(queueName(variant), FIRST_PAUSE, LONGEST_PAUSE);
    this.workers =
        ControllerLoop.workers(account(variant), WORKERS, queue, name -> reconcile(name));
  }

  private static String account(Variant variant) {
    return switch (variant) {
      case REPLICA_SET -> NAME;
      case REPLICATION_CONTROLLER -> REPLICATION_CONTROLLER;
    };
  }

  private static String queueName(Variant variant) {
    return switch (variant) {
      case REPLICA_SET -> "replicaset";
      case REPLICATION_CONTROLLER -> "replicationmanager";
    };
  }

  @Override
  public void start() throws InterruptedException {
    sets.listen(new SetChanges());
    pods.listen(new PodChanges());
    events.start();
    sets.awaitSync();
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
    try {
      return bringAbout(name);
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT) {
        // somebody else has written it
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private Outcome bringAbout(ObjectName name) throws InterruptedException {
    ReplicaSetFacts set = sets.get(name).orElse(null);
    if (set == null) {
      forget(name);
      return Outcome.DONE;
    }
    LabelSelector selector = set.selector();
    if (selector == null) {
      return Outcome.DONE;
    }
    boolean ready = expectations.satisfied(name) && unanswered.told(name, set.uid());
    List<PodFacts> claimed =
        claims.claim(set.reference(), selector, set.deleting(), () -> mayAdopt(set));
    Failure failure = null;
    if (ready && !set.deleting()) {
      List<PodFacts> active = claimed.stream().filter(PodFacts::active).toList();
      failure = manage(set, active);
    }
    Instant now = clock.instant();
    // pods that were deleted and that the informer still shows serve nobody
    Set<String> deleted = expectations.deletions(name);
    List<PodFacts> left = claimed.stream().filter(pod -> !deleted.contains(pod.uid())).toList();
    updateStatus(set, ReplicaSetStatus.of(set, left, failure, now));
    if (failure != null || unanswered.open(name)) {
      return Outcome.RETRY;
    }
    untilNextAvailable(set, claimed, now).ifPresent(wait -> queue.addAfter(name, wait));
    return Outcome.DONE;
  }

  private void forget(ObjectName name) {
    expectations.forget(name);
    unanswered.forget(name);
  }

  /** A ReplicaSet from the informer may be an old one; only the server knows. */
  private boolean mayAdopt(ReplicaSetFacts set) throws InterruptedException {
    return client
        .get(resource, set.name().namespace(), set.name().name())
        .filter(fresh -> fresh.meta().uid().equals(set.uid()) && !fresh.meta().deleting())
        .isPresent();
  }

  private static Optional<Duration> untilNextAvailable(
      ReplicaSetFacts set, List<PodFacts> pods, Instant now) {
    Duration least = null;
    for (PodFacts pod : pods) {
      Instant since = pod.readySince();
      if (pod.active()
          && since != null
          && !since.equals(Instant.EPOCH)
          && !pod.available(set.minReady(), now)) {
        Duration wait = Duration.between(now, since.plus(set.minReady()));
        least = least == null || wait.compareTo(least) < 0 ? wait : least;
      }
    }
    return Optional.ofNullable(least);
  }

  /** Creates or deletes pods; returns why that failed, null if it did not. */
  private @Nullable Failure manage(ReplicaSetFacts set, List<PodFacts> active)
      throws InterruptedException {
    int missing = set.replicas() - active.size();
    if (missing > 0) {
      return create(set, Math.min(missing, BURST));
    }
    return missing < 0 ? delete(set, active, Math.min(-missing, BURST)) : null;
  }

  /** Creates pods in batches that grow, so that a refusal is met by few. */
  private @Nullable Failure create(ReplicaSetFacts set, int count) throws InterruptedException {
    ObjectName name = set.name();
    ApiObject current = client.get(resource, name.namespace(), name.name()).orElse(null);
    if (current == null || !current.meta().uid().equals(set.uid())) {
      return null;
    }
    MapNode template = current.root().map("spec").map("template");
    ObjectReference reference = set.reference();
    expectations.expectCreations(name, count);
    List<ApiException> failures = new ArrayList<>();
    int done = Batches.slowStart(count, () -> control.create(template, reference), failures);
    // those that were not tried, or failed, will not be told by the informer
    expectations.created(name, count - done);
    unanswered.note(name, failures);
    return failure("FailedCreate", failures);
  }

  private @Nullable Failure delete(ReplicaSetFacts set, List<PodFacts> active, int count)
      throws InterruptedException {
    List<PodFacts> victims = active;
    if (count < active.size()) {
      PodDeletionOrder order = new PodDeletionOrder(related(set), clock.instant());
      victims = active.stream().sorted(order).limit(count).toList();
    }
    ObjectName name = set.name();
    expectations.expectDeletions(
        name, victims.stream().map(PodFacts::uid).collect(Collectors.toSet()));
    List<ApiException> failures = new ArrayList<>();
    Batches.all(
        victims,
        pod -> {
          try {
            control.delete(pod, set.reference());
          } catch (ApiException e) {
            expectations.deleted(name, pod.uid());
            if (e.reason() != Reason.NOT_FOUND) {
              throw e;
            }
          }
        },
        failures);
    unanswered.note(name, failures);
    return failure("FailedDelete", failures);
  }

  private static @Nullable Failure failure(String reason, List<ApiException> failures) {
    for (ApiException e : failures) {
      if (!e.isNamespaceTerminating()) {
        return new Failure(reason, e.text());
      }
    }
    return null;
  }

  /** The pods of all ReplicaSets of the same owner. */
  private List<PodFacts> related(ReplicaSetFacts set) {
    Owner owner = set.owner();
    if (owner == null) {
      return pods.by(PodFacts.BY_OWNER, set.uid());
    }
    return sets.by(ReplicaSetFacts.BY_OWNER, owner.uid()).stream()
        .flatMap(sibling -> pods.by(PodFacts.BY_OWNER, sibling.uid()).stream())
        .toList();
  }

  private void updateStatus(ReplicaSetFacts set, MapNode status) throws InterruptedException {
    if (status.equals(complete(set.status()))) {
      return;
    }
    ObjectName name = set.name();
    ApiObject current = client.get(resource, name.namespace(), name.name()).orElse(null);
    if (current != null && current.meta().uid().equals(set.uid())) {
      Written unused = client.updateStatus(resource, current.with("status", status));
    }
  }

  /** A stored status may lack the number that is always told. */
  private static MapNode complete(MapNode status) {
    return status.has("replicas") ? status : status.with("replicas", new Node.Int(0));
  }

  private final class SetChanges implements ObjectListener<ReplicaSetFacts> {

    @Override
    public void added(ObjectName name, ReplicaSetFacts set) {
      queue.add(name);
    }

    @Override
    public void updated(ObjectName name, ReplicaSetFacts before, ReplicaSetFacts after) {
      if (!before.uid().equals(after.uid())) {
        forget(name);
      }
      queue.add(name);
    }

    @Override
    public void deleted(ObjectName name, ReplicaSetFacts last) {
      forget(name);
      queue.add(name);
    }
  }

  private final class PodChanges implements ObjectListener<PodFacts> {

    @Override
    public void added(ObjectName name, PodFacts pod) {
      if (pod.deleting()) {
        deleted(name, pod);
        return;
      }
      Owner owner = pod.owner();
      if (owner == null) {
        matching(pod).forEach(queue::add);
      } else {
        owned(pod, owner)
            .ifPresent(
                set -> {
                  expectations.created(set, 1);
                  queue.add(set);
                });
      }
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      if (!before.uid().equals(after.uid())) {
        deleted(name, before);
        added(name, after);
        return;
      }
      if (after.deleting()) {
        // a graceful deletion is as good as the end of the pod
        deleted(name, after);
        if (!before.labels().equals(after.labels())) {
          deleted(name, before);
        }
        return;
      }
      Owner old = before.owner();
      Owner now = after.owner();
      if (old != null && !old.equals(now)) {
        owned(before, old).ifPresent(queue::add);
      }
      if (now != null) {
        owned(after, now).ifPresent(queue::add);
      } else if (!before.labels().equals(after.labels()) || old != null) {
        matching(after).forEach(queue::add);
      }
    }

    @Override
    public void deleted(ObjectName name, PodFacts last) {
      Owner owner = last.owner();
      if (owner != null) {
        owned(last, owner)
            .ifPresent(
                set -> {
                  expectations.deleted(set, last.uid());
                  queue.add(set);
                });
      }
    }

    private Optional<ObjectName> owned(PodFacts pod, Owner owner) {
      if (!variant.owns(owner)) {
        return Optional.empty();
      }
      ObjectName name = new ObjectName(pod.name().namespace(), owner.name());
      return sets.get(name).filter(set -> set.uid().equals(owner.uid())).map(set -> name);
    }

    private Set<ObjectName> matching(PodFacts pod) {
      return sets.list(pod.name().namespace()).stream()
          .filter(
              set -> {
                LabelSelector selector = set.selector();
                return selector != null && selector.matches(pod.labels());
              })
          .map(ReplicaSetFacts::name)
          .collect(Collectors.toSet());
    }
  }
}
