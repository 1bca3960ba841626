package dev.keelson.controller.deployment;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.controller.workload.Selectors;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.Uid;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Rolls out the templates of Deployments over ReplicaSets (source: Kubernetes' {@code
 * pkg/controller/deployment}).
 */
public final class DeploymentController implements Controller {

  /** The name of the controller, and of its service account. */
  public static final String NAME = "deployment-controller";

  /** The API resource of Deployments. */
  public static final GroupVersionResource RESOURCE = Deployment.RESOURCE;

  /** As kube-controller-manager ({@code --concurrent-deployment-syncs}). */
  private static final int WORKERS = 5;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final ApiClient client;
  private final EventRecorder events;
  private final SetWrites writes;
  private final ReplicaSets actions;
  private final Informer<PodFacts> pods;
  private final Informer<ReplicaSetFacts> sets;
  private final Informer<Kept> deployments;
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("deployment", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("deployment", WORKERS, queue, this::reconcile);
  private final ControllerLoop follower;

  /** What the controller keeps of a Deployment between two looks at it. */
  private record Kept(ObjectName name, Uid id, boolean recreates, LabelSelector selector) {
    static Kept of(ApiObject object) {
      Deployment deployment = new Deployment(object);
      MapNode selector = deployment.spec().map("selector");
      return new Kept(
          deployment.name(),
          Uid.of(deployment.uid()),
          deployment.recreates(),
          Selectors.of(selector).orElse(LabelSelector.EVERYTHING));
    }

    String uid() {
      return id.toString();
    }
  }

  /**
   * Not yet started.
   *
   * @param pods shared with other controllers; followed by the caller
   * @param sets shared with other controllers; followed by the caller
   * @param nanos a monotonic clock, in nanoseconds
   */
  public DeploymentController(
      ApiClient client,
      Informer<PodFacts> pods,
      Informer<ReplicaSetFacts> sets,
      InstantSource clock,
      LongSupplier nanos) {
    this.client = client;
    this.events = new EventRecorder(client, NAME, clock, nanos);
    this.writes = new SetWrites(client, sets);
    this.actions = new ReplicaSets(client, events, clock, writes);
    this.pods = pods;
    this.sets = sets;
    this.deployments = new Informer<>(client, Selection.of(RESOURCE), Kept::of, List.of());
    this.clock = clock;
    this.follower =
        ControllerLoop.every("informer-deployments", Duration.ofMillis(1), deployments::follow);
  }

  @Override
  public void start() throws InterruptedException {
    deployments.listen(NameListener.ofAny(queue::add));
    deployments.listen(new Deletions());
    sets.listen(new SetChanges());
    pods.listen(new PodChanges());
    follower.start();
    events.start();
    deployments.awaitSync();
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
    follower.close();
    events.close();
  }

  private Outcome reconcile(ObjectName name) throws InterruptedException {
    try {
      return bringAbout(name);
    } catch (ApiException e) {
      if (e.reason() == Reason.CONFLICT || e.isNamespaceTerminating()) {
        // somebody else has written it, or everything goes
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private Outcome bringAbout(ObjectName name) throws InterruptedException {
    Deployment deployment =
        client.get(RESOURCE, name.namespace(), name.name()).map(Deployment::new).orElse(null);
    if (deployment == null) {
      return Outcome.DONE;
    }
    LabelSelector selector = deployment.selector();
    if (selector == null || selector.isEverything()) {
      events.record(
          deployment.reference(),
          Type.WARNING,
          "SelectingAll",
          "This deployment is selecting all pods. A non-empty selector is required.");
      return Outcome.DONE;
    }
    if (!writes.told(deployment.uid())) {
      return Outcome.RETRY;
    }
    List<ReplicaSetFacts> own = claim(deployment, selector);
    Rollout rollout = new Rollout(actions, deployment, own, clock.instant());
    Deployment after = rollout.step(set -> pods.by(PodFacts.BY_OWNER, set.uid()));
    Progress.untilTimedOut(after, clock.instant()).ifPresent(wait -> queue.addAfter(name, wait));
    return Outcome.DONE;
  }

  /** The ReplicaSets of a Deployment; adopts those that match, releases those that do not. */
  private List<ReplicaSetFacts> claim(Deployment deployment, LabelSelector selector)
      throws InterruptedException {
    List<ReplicaSetFacts> own = new ArrayList<>();
    boolean deleting = deployment.object().meta().deleting();
    for (ReplicaSetFacts set : sets.by(ReplicaSetFacts.BY_OWNER, deployment.uid())) {
      if (selector.matches(set.labels())) {
        own.add(set);
      } else if (!deleting) {
        release(set, deployment);
      }
    }
    if (!deleting) {
      String orphans = ReplicaSetFacts.withoutOwner(deployment.name().namespace());
      for (ReplicaSetFacts set : sets.by(ReplicaSetFacts.BY_OWNER, orphans)) {
        if (!set.deleting() && selector.matches(set.labels())) {
          own.add(adopt(set, deployment));
        }
      }
    }
    return own;
  }

  private ReplicaSetFacts adopt(ReplicaSetFacts set, Deployment deployment)
      throws InterruptedException {
    MapNode metadata = Owner.adoption(deployment.reference(), set.uid());
    return ReplicaSetFacts.of(patch(set, metadata));
  }

  private void release(ReplicaSetFacts set, Deployment deployment) throws InterruptedException {
    try {
      ApiObject unused = patch(set, Owner.release(deployment.uid(), set.uid()));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.INVALID) {
        throw e;
      }
    }
  }

  private ApiObject patch(ReplicaSetFacts set, MapNode metadata) throws InterruptedException {
    return client
        .patch(
            ReplicaSetFacts.RESOURCE,
            set.name().namespace(),
            set.name().name(),
            "",
            Patch.STRATEGIC_MERGE,
            MapNode.of("metadata", metadata))
        .object();
  }

  private final class Deletions implements ObjectListener<Kept> {

    @Override
    public void added(ObjectName name, Kept deployment) {
      // nothing to forget
    }

    @Override
    public void updated(ObjectName name, Kept before, Kept after) {
      if (!before.uid().equals(after.uid())) {
        writes.forget(before.uid());
      }
    }

    @Override
    public void deleted(ObjectName name, Kept last) {
      writes.forget(last.uid());
    }
  }

  private final class SetChanges implements ObjectListener<ReplicaSetFacts> {

    @Override
    public void added(ObjectName name, ReplicaSetFacts set) {
      wake(set);
    }

    @Override
    public void updated(ObjectName name, ReplicaSetFacts before, ReplicaSetFacts after) {
      Owner owner = before.owner();
      if (owner != null && !owner.equals(after.owner())) {
        wake(before);
      }
      wake(after);
    }

    @Override
    public void deleted(ObjectName name, ReplicaSetFacts last) {
      wake(last);
    }

    private void wake(ReplicaSetFacts set) {
      Owner owner = set.owner();
      if (owner != null) {
        owned(set.name().namespace(), owner).ifPresent(queue::add);
        return;
      }
      for (Kept deployment : deployments.list(set.name().namespace())) {
        if (deployment.selector().matches(set.labels())) {
          queue.add(deployment.name());
        }
      }
    }
  }

  private Optional<ObjectName> owned(String namespace, @Nullable Owner owner) {
    if (owner == null || !owner.kind().equals(Deployment.KIND)) {
      return Optional.empty();
    }
    ObjectName name = new ObjectName(namespace, owner.name());
    return deployments
        .get(name)
        .filter(deployment -> deployment.uid().equals(owner.uid()))
        .map(Kept::name);
  }

  /** A Deployment that recreates its pods waits for the end of the old ones. */
  private final class PodChanges implements ObjectListener<PodFacts> {

    @Override
    public void added(ObjectName name, PodFacts pod) {
      // its ReplicaSet changes with it
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      if (after.ended() && !before.ended()) {
        wake(after);
      }
    }

    @Override
    public void deleted(ObjectName name, PodFacts last) {
      wake(last);
    }

    private void wake(PodFacts pod) {
      Owner owner = pod.owner();
      if (owner == null || !owner.kind().equals(ReplicaSetFacts.KIND)) {
        return;
      }
      String namespace = pod.name().namespace();
      sets.get(new ObjectName(namespace, owner.name()))
          .flatMap(set -> owned(namespace, set.owner()))
          .flatMap(deployments::get)
          .filter(Kept::recreates)
          .ifPresent(deployment -> queue.add(deployment.name()));
    }
  }
}
