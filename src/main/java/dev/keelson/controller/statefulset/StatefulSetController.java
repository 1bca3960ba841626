package dev.keelson.controller.statefulset;

import dev.keelson.api.ApiException;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.NameListener;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.workload.ClaimFacts;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodClaims;
import dev.keelson.controller.workload.PodControl;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.PodTemplate;
import dev.keelson.controller.workload.RevisionFacts;
import dev.keelson.controller.workload.RevisionHistory;
import dev.keelson.controller.workload.RevisionHistory.Created;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Keeps the pods of StatefulSets (source: Kubernetes' {@code pkg/controller/statefulset}). */
public final class StatefulSetController implements Controller {

  /** The name of the controller, and of its service account. */
  public static final String NAME = "statefulset-controller";

  /** The label of ControllerRevisions with the hash of their data. */
  private static final String HASH = "controller.kubernetes.io/hash";

  /** As kube-controller-manager ({@code --concurrent-statefulset-syncs}). */
  private static final int WORKERS = 5;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final ApiClient client;
  private final EventRecorder events;
  private final PodClaims podClaims;
  private final StatefulPods actions;
  private final RevisionHistory history;
  private final Informer<PodFacts> pods;
  private final Informer<StatefulSetFacts> sets;
  private final Informer<RevisionFacts> revisions;
  private final Informer<ClaimFacts> claims;
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("statefulset", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("statefulset", WORKERS, queue, this::reconcile);

  /** The informers, shared with other controllers and followed by the caller. */
  public record Informers(
      Informer<PodFacts> pods,
      Informer<StatefulSetFacts> sets,
      Informer<RevisionFacts> revisions,
      Informer<ClaimFacts> claims) {}

  /** The revisions of a set, and how often their names have collided. */
  private record Revisions(
      List<RevisionFacts> all, RevisionFacts current, RevisionFacts update, int collisions) {}

  /**
   * Not yet started.
   *
   * @param nanos a monotonic clock, in nanoseconds
   */
  public StatefulSetController(
      ApiClient client, Informers informers, InstantSource clock, LongSupplier nanos) {
    this.client = client;
    this.events = new EventRecorder(client, NAME, clock, nanos);
    this.pods = informers.pods();
    this.sets = informers.sets();
    this.revisions = informers.revisions();
    this.claims = informers.claims();
    this.podClaims = new PodClaims(pods, new PodControl(client, events));
    this.actions = new StatefulPods(client, events, claims);
    this.history = new RevisionHistory(client, revisions);
    this.clock = clock;
  }

  @Override
  public void start() throws InterruptedException {
    sets.listen(NameListener.ofPresent(queue::add));
    pods.listen(new PodChanges());
    events.start();
    sets.awaitSync();
    pods.awaitSync();
    revisions.awaitSync();
    claims.awaitSync();
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
      if (e.reason() == Reason.CONFLICT || e.isNamespaceTerminating()) {
        // somebody else has written it, or everything goes
        return Outcome.RETRY;
      }
      throw e;
    }
  }

  private Outcome bringAbout(ObjectName name) throws InterruptedException {
    StatefulSet set = read(name);
    LabelSelector selector = set == null ? null : set.selector();
    if (set == null || selector == null) {
      return Outcome.DONE;
    }
    List<PodFacts> own =
        podClaims.claim(
            set.reference(),
            pod -> selector.matches(pod.labels()) && set.ordinal(pod) >= 0,
            set.meta().deleting(),
            () -> mayAdopt(set));
    Revisions found = revisions(set, selector);
    Instant now = clock.instant();
    StatefulStatus status =
        new StatefulStatus(
            set,
            own,
            found.current().name().name(),
            found.update().name().name(),
            found.collisions(),
            now);
    StatefulSync sync =
        new StatefulSync(actions, history, set, own, found.current(), found.update(), status, now);
    List<ApiException> failures = sync.run();
    status.complete();
    if (status.differs()) {
      Written unused =
          client.updateStatus(StatefulSet.RESOURCE, set.object().with("status", status.node()));
    }
    truncate(set, found, own);
    if (!set.minReady().isZero() && status.available() != set.replicas()) {
      queue.addAfter(name, set.minReady());
    }
    return failures.isEmpty() && !sync.waitsForClaim() ? Outcome.DONE : Outcome.RETRY;
  }

  private @Nullable StatefulSet read(ObjectName name) throws InterruptedException {
    return client
        .get(StatefulSet.RESOURCE, name.namespace(), name.name())
        .map(StatefulSet::new)
        .orElse(null);
  }

  private boolean mayAdopt(StatefulSet set) throws InterruptedException {
    StatefulSet fresh = read(set.name());
    return fresh != null && fresh.meta().uid().equals(set.meta().uid()) && !fresh.meta().deleting();
  }

  /** The revision of the template, which is created if it is new, and that before an update. */
  private Revisions revisions(StatefulSet set, LabelSelector selector) throws InterruptedException {
    List<RevisionFacts> all =
        history.list(set.reference(), selector, () -> !set.meta().deleting() && mayAdopt(set));
    String template = PodTemplate.digest(set.template());
    int collisions = Numbers.of(set.status(), "collisionCount", 0);
    RevisionFacts newest = all.isEmpty() ? null : all.getLast();
    RevisionFacts update =
        all.reversed().stream()
            .filter(revision -> revision.template().equals(template))
            .findFirst()
            .orElse(null);
    long next = newest == null ? 1 : newest.revision() + 1;
    if (update == null) {
      Created created =
          history.create(
              set.reference(), set.template(), HASH, set.meta().annotations(), next, collisions);
      update = created.revision();
      collisions = created.collisions();
    } else if (!update.equals(newest)) {
      update = history.renumber(update, next);
    }
    String known = set.status().text("currentRevision");
    RevisionFacts current =
        all.stream()
            .filter(revision -> revision.name().name().equals(known))
            .findFirst()
            .orElse(update);
    return new Revisions(all, current, update, collisions);
  }

  /** Deletes the oldest revisions that no pod has. */
  private void truncate(StatefulSet set, Revisions found, List<PodFacts> own)
      throws InterruptedException {
    Set<String> live = new HashSet<>();
    live.add(found.current().name().name());
    live.add(found.update().name().name());
    own.forEach(pod -> live.add(pod.labels().getOrDefault(StatefulPods.REVISION, "")));
    List<RevisionFacts> old =
        found.all().stream().filter(revision -> !live.contains(revision.name().name())).toList();
    for (RevisionFacts revision : old.subList(0, Math.max(0, old.size() - set.historyLimit()))) {
      history.delete(revision);
    }
  }

  private final class PodChanges implements ObjectListener<PodFacts> {

    @Override
    public void added(ObjectName name, PodFacts pod) {
      wake(pod);
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      Owner owner = before.owner();
      if (owner != null && !owner.equals(after.owner())) {
        owned(before, owner).ifPresent(queue::add);
      }
      if (after.owner() != null || owner != null || !before.labels().equals(after.labels())) {
        wake(after);
      }
    }

    @Override
    public void deleted(ObjectName name, PodFacts last) {
      Owner owner = last.owner();
      if (owner != null) {
        owned(last, owner).ifPresent(queue::add);
      }
    }

    private void wake(PodFacts pod) {
      Owner owner = pod.owner();
      if (owner != null) {
        owned(pod, owner).ifPresent(queue::add);
        return;
      }
      for (StatefulSetFacts set : sets.list(pod.name().namespace())) {
        if (set.selector().matches(pod.labels())) {
          queue.add(set.name());
        }
      }
    }

    private Optional<ObjectName> owned(PodFacts pod, Owner owner) {
      if (!owner.kind().equals(StatefulSet.KIND)) {
        return Optional.empty();
      }
      ObjectName name = new ObjectName(pod.name().namespace(), owner.name());
      return sets.get(name).filter(set -> set.uid().equals(owner.uid())).map(set -> name);
    }
  }
}
