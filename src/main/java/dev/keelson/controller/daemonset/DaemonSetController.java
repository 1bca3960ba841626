package dev.keelson.controller.daemonset;

import dev.keelson.api.ApiException;
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
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.workload.Batches;
import dev.keelson.controller.workload.DaemonPod;
import dev.keelson.controller.workload.Expectations;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodClaims;
import dev.keelson.controller.workload.PodControl;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.PodTemplate;
import dev.keelson.controller.workload.RevisionFacts;
import dev.keelson.controller.workload.RevisionHistory;
import dev.keelson.controller.workload.RevisionHistory.Created;
import dev.keelson.controller.workload.UnansweredWrites;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keeps the pods of DaemonSets (source: Kubernetes' {@code pkg/controller/daemon}). */
public final class DaemonSetController implements Controller {

  /** The name of the service account. */
  public static final String NAME = "daemon-set-controller";

  /** The component in Events. */
  private static final String COMPONENT = "daemonset-controller";

  /** At most this many pods are created or deleted in one look. */
  private static final int BURST = 250;

  /** As kube-controller-manager ({@code --concurrent-daemonset-syncs}). */
  private static final int WORKERS = 2;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1000);

  private final ApiClient client;
  private final EventRecorder events;
  private final PodControl control;
  private final PodClaims claims;
  private final RevisionHistory history;
  private final Informer<PodFacts> pods;
  private final Informer<DaemonNode> nodes;
  private final Informer<DaemonSetFacts> sets;
  private final Informer<RevisionFacts> revisions;
  private final Expectations expectations;
  private final UnansweredWrites unanswered;
  private final FailedPods failed = new FailedPods();
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue =
      new WorkQueue<>("daemonset", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("daemonset", WORKERS, queue, this::reconcile);

  /** The informers, shared with other controllers and followed by the caller. */
  public record Informers(
      Informer<PodFacts> pods,
      Informer<DaemonNode> nodes,
      Informer<DaemonSetFacts> sets,
      Informer<RevisionFacts> revisions) {}

  /** The revision of the template, and the others. */
  private record Revisions(RevisionFacts current, List<RevisionFacts> old, int collisions) {}

  /**
   * Not yet started.
   *
   * @param nanos a monotonic clock, in nanoseconds
   */
  public DaemonSetController(
      ApiClient client, Informers informers, InstantSource clock, LongSupplier nanos) {
    this.client = client;
    this.events = new EventRecorder(client, COMPONENT, clock, nanos);
    this.control = new PodControl(client, events);
    this.pods = informers.pods();
    this.nodes = informers.nodes();
    this.sets = informers.sets();
    this.revisions = informers.revisions();
    this.claims = new PodClaims(pods, control);
    this.history = new RevisionHistory(client, revisions);
    this.expectations = new Expectations(nanos);
    this.unanswered = new UnansweredWrites(client, pods);
    this.clock = clock;
  }

  @Override
  public void start() throws InterruptedException {
    sets.listen(new SetChanges());
    nodes.listen(new NodeChanges());
    pods.listen(new PodChanges());
    events.start();
    sets.awaitSync();
    nodes.awaitSync();
    pods.awaitSync();
    revisions.awaitSync();
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
    DaemonSet set = read(name);
    LabelSelector selector = set == null ? null : set.selector();
    if (set == null || selector == null) {
      expectations.forget(name);
      unanswered.forget(name);
      return Outcome.DONE;
    }
    if (selector.isEverything()) {
      events.record(
          set.reference(),
          Type.WARNING,
          "SelectingAll",
          "This daemon set is selecting all pods. A non-empty selector is required.");
      return Outcome.DONE;
    }
    if (set.meta().deleting()) {
      return Outcome.DONE;
    }
    Revisions found = revisions(set, selector);
    String hash = found.current().labels().getOrDefault(DaemonSet.REVISION, "");
    DaemonFit fit = DaemonFit.of(set.template().map("spec"));
    List<DaemonNode> all = nodes.list();
    Instant now = clock.instant();
    boolean settled = expectations.satisfied(name) && unanswered.told(name, set.meta().uid());
    List<PodFacts> own = claims.claim(set.reference(), selector, false, () -> mayAdopt(set));
    List<ApiException> failures = new ArrayList<>();
    if (settled) {
      manage(set, hash, all, fit, own, now, failures);
      if (failures.isEmpty()) {
        truncate(set, found, own);
      }
    }
    long observed =
        settled ? set.meta().generation() : Numbers.of(set.status(), "observedGeneration", 0);
    MapNode status = DaemonStatus.of(set, hash, all, fit, own, found.collisions(), observed, now);
    if (DaemonStatus.differs(status, set.status())) {
      Written unused = client.updateStatus(DaemonSet.RESOURCE, set.object().with("status", status));
    }
    if (!set.minReady().isZero()
        && Numbers.of(status, "numberReady", 0) != Numbers.of(status, "numberAvailable", 0)) {
      queue.addAfter(name, set.minReady());
    }
    return failures.isEmpty() && !unanswered.open(name) ? Outcome.DONE : Outcome.RETRY;
  }

  private @Nullable DaemonSet read(ObjectName name) throws InterruptedException {
    return client
        .get(DaemonSet.RESOURCE, name.namespace(), name.name())
        .map(DaemonSet::new)
        .orElse(null);
  }

  private boolean mayAdopt(DaemonSet set) throws InterruptedException {
    DaemonSet fresh = read(set.name());
    return fresh != null && fresh.meta().uid().equals(set.meta().uid()) && !fresh.meta().deleting();
  }

  private void manage(
      DaemonSet set,
      String hash,
      List<DaemonNode> all,
      DaemonFit fit,
      List<PodFacts> own,
      Instant now,
      List<ApiException> failures)
      throws InterruptedException {
    NodePods decision =
        new NodePods(set, hash, events, failed, wait -> queue.addAfter(set.name(), wait), now);
    decision.decide(all, fit, own);
    sync(set, hash, decision.missing, decision.surplus, failures);
    if (set.updatesOnDelete() || !failures.isEmpty() || !expectations.satisfied(set.name())) {
      return;
    }
    DaemonUpdate update = new DaemonUpdate(set, hash, all, fit, own, now);
    update.step();
    sync(set, hash, update.created, update.deleted, failures);
  }

  private void sync(
      DaemonSet set,
      String hash,
      List<String> missing,
      List<PodFacts> surplus,
      List<ApiException> failures)
      throws InterruptedException {
    List<String> created = missing.subList(0, Math.min(BURST, missing.size()));
    List<PodFacts> deleted = surplus.subList(0, Math.min(BURST, surplus.size()));
    if (created.isEmpty() && deleted.isEmpty()) {
      return;
    }
    ObjectName name = set.name();
    expectations.expect(
        name, created.size(), deleted.stream().map(PodFacts::uid).collect(Collectors.toSet()));
    MapNode template = template(set, hash);
    Queue<String> left = new ConcurrentLinkedQueue<>(created);
    List<ApiException> errors = new ArrayList<>();
    int done =
        Batches.slowStart(
            created.size(),
            () -> {
              MapNode spec = DaemonPod.onNode(template.map("spec"), left.remove());
              control.create(template.with("spec", spec), set.reference());
            },
            errors);
    expectations.created(name, created.size() - done);
    unanswered.note(name, errors);
    errors.stream().filter(error -> !error.isNamespaceTerminating()).forEach(failures::add);
    int unused =
        Batches.all(
            deleted,
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
  }

  private static MapNode template(DaemonSet set, String hash) {
    MapNode template = set.template();
    MapNode metadata = template.map("metadata");
    MapNode labels = metadata.map("labels").with(DaemonSet.REVISION, Node.text(hash));
    if (!set.generation().isEmpty()) {
      labels = labels.with(DaemonSet.GENERATION, Node.text(set.generation()));
    }
    return template
        .with("metadata", metadata.with("labels", labels))
        .with("spec", DaemonFit.withTolerations(template.map("spec")));
  }

  private Revisions revisions(DaemonSet set, LabelSelector selector) throws InterruptedException {
    String template = PodTemplate.digest(set.template());
    List<RevisionFacts> same = new ArrayList<>();
    List<RevisionFacts> old = new ArrayList<>();
    for (RevisionFacts each : history.list(set.reference(), selector, () -> mayAdopt(set))) {
      (each.template().equals(template) ? same : old).add(each);
    }
    RevisionFacts current = same.isEmpty() ? null : same.getLast();
    if (current != null && same.size() > 1) {
      merge(set, same.subList(0, same.size() - 1), current);
    }
    long number = old.stream().mapToLong(RevisionFacts::revision).max().orElse(0) + 1;
    int collisions = Numbers.of(set.status(), "collisionCount", 0);
    if (current == null) {
      Created created =
          history.create(
              set.reference(),
              set.template(),
              DaemonSet.REVISION,
              set.meta().annotations(),
              number,
              collisions);
      return new Revisions(created.revision(), old, created.collisions());
    }
    if (current.revision() < number) {
      current = history.renumber(current, number);
    }
    return new Revisions(current, old, collisions);
  }

  /** Makes pods of other revisions of the same template those of one, and deletes the others. */
  private void merge(DaemonSet set, List<RevisionFacts> others, RevisionFacts kept)
      throws InterruptedException {
    String label = kept.labels().getOrDefault(DaemonSet.REVISION, "");
    Set<String> merged =
        others.stream()
            .map(revision -> revision.labels().getOrDefault(DaemonSet.REVISION, ""))
            .filter(other -> !other.equals(label))
            .collect(Collectors.toSet());
    for (PodFacts pod : pods.by(PodFacts.BY_OWNER, set.meta().uid())) {
      if (merged.contains(pod.labels().getOrDefault(DaemonSet.REVISION, ""))) {
        control.label(pod, DaemonSet.REVISION, label);
      }
    }
    for (RevisionFacts revision : others) {
      history.delete(revision);
    }
  }

  /** Deletes the oldest revisions that no pod has. */
  private void truncate(DaemonSet set, Revisions found, List<PodFacts> own)
      throws InterruptedException {
    int surplus = found.old().size() - set.historyLimit();
    Set<String> live =
        own.stream()
            .map(pod -> pod.labels().getOrDefault(DaemonSet.REVISION, ""))
            .collect(Collectors.toSet());
    for (RevisionFacts revision : found.old()) {
      if (surplus <= 0) {
        return;
      }
      if (!live.contains(revision.labels().getOrDefault(DaemonSet.REVISION, ""))) {
        history.delete(revision);
        surplus--;
      }
    }
  }

  private final class SetChanges implements ObjectListener<DaemonSetFacts> {

    @Override
    public void added(ObjectName name, DaemonSetFacts set) {
      queue.add(name);
    }

    @Override
    public void updated(ObjectName name, DaemonSetFacts before, DaemonSetFacts after) {
      if (!before.uid().equals(after.uid())) {
        deleted(name, before);
      }
      queue.add(name);
    }

    @Override
    public void deleted(ObjectName name, DaemonSetFacts last) {
      expectations.forget(name);
      failed.forget(last.uid());
    }
  }

  private final class NodeChanges implements ObjectListener<DaemonNode> {

    @Override
    public void added(ObjectName name, DaemonNode node) {
      for (DaemonSetFacts set : sets.list()) {
        if (set.fit().on(node) == DaemonFit.Verdict.RUN) {
          queue.add(set.name());
        }
      }
    }

    @Override
    public void updated(ObjectName name, DaemonNode before, DaemonNode after) {
      if (before.equals(after)) {
        return;
      }
      for (DaemonSetFacts set : sets.list()) {
        if (set.fit().on(before) != set.fit().on(after)) {
          queue.add(set.name());
        }
      }
    }

    @Override
    public void deleted(ObjectName name, DaemonNode last) {
      for (DaemonSetFacts set : sets.list()) {
        if (set.fit().on(last) != DaemonFit.Verdict.NONE) {
          queue.add(set.name());
        }
      }
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
        wakeMatching(pod);
        return;
      }
      owned(pod, owner)
          .ifPresent(
              set -> {
                expectations.created(set, 1);
                queue.add(set);
              });
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      if (!before.uid().equals(after.uid())) {
        deleted(name, before);
        added(name, after);
        return;
      }
      if (after.deleting()) {
        deleted(name, after);
        return;
      }
      Owner old = before.owner();
      Owner owner = after.owner();
      if (old != null && !old.equals(owner)) {
        owned(before, old).ifPresent(queue::add);
      }
      if (owner != null) {
        owned(after, owner).ifPresent(queue::add);
      } else if (old != null || !before.labels().equals(after.labels())) {
        wakeMatching(after);
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

    private void wakeMatching(PodFacts pod) {
      for (DaemonSetFacts set : sets.list(pod.name().namespace())) {
        if (set.selector().matches(pod.labels())) {
          queue.add(set.name());
        }
      }
    }

    private Optional<ObjectName> owned(PodFacts pod, Owner owner) {
      if (!owner.kind().equals(DaemonSet.KIND)) {
        return Optional.empty();
      }
      ObjectName name = new ObjectName(pod.name().namespace(), owner.name());
      return sets.get(name).filter(set -> set.uid().equals(owner.uid())).map(set -> name);
    }
  }
}
