package dev.keelson.controller.job;

import dev.keelson.api.ApiException;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.controller.Controller;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.WorkQueue;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.job.FailureDelay.Terms;
import dev.keelson.controller.workload.Expectations;
import dev.keelson.controller.workload.JobFacts;
import dev.keelson.controller.workload.JobPod;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.PodClaims;
import dev.keelson.controller.workload.PodControl;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.UnansweredWrites;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs the pods of Jobs and keeps their status (source: Kubernetes' {@code pkg/controller/job}).
 */
public final class JobController implements Controller {

  /** The name of the controller, and of its service account. */
  public static final String NAME = "job-controller";

  /** As kube-controller-manager ({@code --concurrent-job-syncs}). */
  private static final int WORKERS = 5;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  /** Changes of pods within this time are one look. */
  private static final Duration BATCH = Duration.ofMillis(250);

  private final ApiClient client;
  private final EventRecorder events;
  private final JobActions actions;
  private final PodClaims claims;
  private final Informer<PodFacts> pods;
  private final Informer<JobFacts> jobs;
  private final Expectations expectations;
  private final UnansweredWrites unanswered;
  private final FinalizerRemovals removals = new FinalizerRemovals();
  private final Map<ObjectName, FailureDelay> delays = new ConcurrentHashMap<>();
  private final Terms terms;
  private final InstantSource clock;
  private final WorkQueue<ObjectName> queue = new WorkQueue<>("job", FIRST_PAUSE, LONGEST_PAUSE);
  private final WorkQueue<ObjectName> orphans =
      new WorkQueue<>("job_orphan_pod", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop workers =
      ControllerLoop.workers("job", WORKERS, queue, this::reconcile);
  private final ControllerLoop orphanWorker =
      ControllerLoop.workers("job-orphans", 1, orphans, this::release);

  /**
   * Not yet started.
   *
   * @param pods shared with other controllers; followed by the caller
   * @param jobs shared with other controllers; followed by the caller
   * @param nanos a monotonic clock, in nanoseconds
   */
  public JobController(
      ApiClient client,
      Informer<PodFacts> pods,
      Informer<JobFacts> jobs,
      InstantSource clock,
      LongSupplier nanos) {
    this(client, pods, jobs, clock, nanos, Terms.DEFAULT.first());
  }

  /**
   * Not yet started.
   *
   * @param firstDelay between the first failure of a pod and the creation of another one
   */
  public JobController(
      ApiClient client,
      Informer<PodFacts> pods,
      Informer<JobFacts> jobs,
      InstantSource clock,
      LongSupplier nanos,
      Duration firstDelay) {
    this.client = client;
    this.events = new EventRecorder(client, NAME, clock, nanos);
    PodControl control = new PodControl(client, events);
    this.claims = new PodClaims(pods, control, List.of(JobPod.FINALIZER));
    this.pods = pods;
    this.jobs = jobs;
    this.expectations = new Expectations(nanos);
    this.unanswered = new UnansweredWrites(client, pods);
    this.actions = new JobActions(client, control, expectations, removals, unanswered);
    this.terms = new Terms(firstDelay, Terms.DEFAULT.longest());
    this.clock = clock;
  }

  @Override
  public void start() throws InterruptedException {
    jobs.listen(new JobChanges());
    pods.listen(new PodChanges());
    events.start();
    jobs.awaitSync();
    pods.awaitSync();
    workers.start();
    orphanWorker.start();
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(queue, orphans);
  }

  @Override
  public void close() {
    workers.close();
    orphanWorker.close();
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
    JobFacts known = jobs.get(name).orElse(null);
    if (known == null || known.isFinished()) {
      forget(name);
      return Outcome.DONE;
    }
    LabelSelector selector = known.selector();
    if (known.managedElsewhere() || selector == null) {
      return Outcome.DONE;
    }
    // both before the pods are listed: what is observed later the list may not show
    boolean settled = expectations.satisfied(name) && unanswered.told(name, known.uid());
    Set<String> removing = removals.expected(name);
    List<OwnPod> own = new ArrayList<>();
    for (PodFacts pod :
        claims.claim(known.reference(), selector, known.deleting(), () -> mayAdopt(known))) {
      JobPod state = pod.job();
      if (state != null) {
        own.add(new OwnPod(pod, state));
      }
    }
    Job job = read(known);
    if (job == null || JobFacts.of(job.object()).isFinished()) {
      return Outcome.DONE;
    }
    if (!job.hasKnownMode()) {
      events.record(
          job.reference(),
          Type.WARNING,
          "UnknownCompletionMode",
          "Skipped Job sync because completion mode is unknown");
      return Outcome.DONE;
    }
    JobContext context = new JobContext(job, own, removing, clock.instant());
    JobSync sync =
        new JobSync(actions, events, context, terms, wait -> queue.addAfter(name, longer(wait)));
    FailureDelay before = delays.getOrDefault(name, FailureDelay.NONE);
    List<ApiException> failures = sync.run(settled, before, delay -> delays.put(name, delay));
    return failures.isEmpty() && !unanswered.open(name) ? Outcome.DONE : Outcome.RETRY;
  }

  private static Duration longer(Duration wait) {
    return wait.compareTo(BATCH) < 0 ? BATCH : wait;
  }

  private void forget(ObjectName name) {
    expectations.forget(name);
    unanswered.forget(name);
    removals.forget(name);
    @Nullable FailureDelay unused = delays.remove(name);
  }

  /** The Job as it is now; null if it is gone. */
  private @Nullable Job read(JobFacts known) throws InterruptedException {
    return client
        .get(JobFacts.RESOURCE, known.name().namespace(), known.name().name())
        .filter(fresh -> fresh.meta().uid().equals(known.uid()))
        .map(Job::new)
        .orElse(null);
  }

  private boolean mayAdopt(JobFacts known) throws InterruptedException {
    Job fresh = read(known);
    return fresh != null && !fresh.meta().deleting();
  }

  /** Removes the finalizer of a pod that no Job counts any more. */
  private Outcome release(ObjectName name) throws InterruptedException {
    PodFacts pod = pods.get(name).orElse(null);
    if (pod == null || !isTracked(pod)) {
      return Outcome.DONE;
    }
    Owner owner = pod.owner();
    if (owner != null) {
      if (!owner.kind().equals(JobFacts.KIND)
          || !owner.apiVersion().equals(JobFacts.RESOURCE.apiVersion())) {
        return Outcome.DONE;
      }
      JobFacts job = owned(pod, owner).orElse(null);
      if (job != null && (job.managedElsewhere() || !job.isFinished())) {
        return Outcome.DONE;
      }
    }
    actions.releaseOrphan(pod);
    return Outcome.DONE;
  }

  private static boolean isTracked(PodFacts pod) {
    JobPod state = pod.job();
    return state != null && state.tracked();
  }

  private Optional<JobFacts> owned(PodFacts pod, Owner owner) {
    if (!owner.kind().equals(JobFacts.KIND)) {
      return Optional.empty();
    }
    return jobs.get(new ObjectName(pod.name().namespace(), owner.name()))
        .filter(job -> job.uid().equals(owner.uid()));
  }

  private void addBatched(ObjectName name) {
    queue.addAfter(name, BATCH);
  }

  private void releaseAll(JobFacts job) {
    for (PodFacts pod : pods.by(PodFacts.BY_OWNER, job.uid())) {
      if (isTracked(pod)) {
        orphans.add(pod.name());
      }
    }
  }

  private final class JobChanges implements ObjectListener<JobFacts> {

    @Override
    public void added(ObjectName name, JobFacts job) {
      queue.add(name);
    }

    @Override
    public void updated(ObjectName name, JobFacts before, JobFacts after) {
      if (!before.uid().equals(after.uid())) {
        forget(name);
      }
      if (before.generation() == after.generation()) {
        addBatched(name);
      } else {
        queue.add(name);
      }
      if (after.isFinished()) {
        releaseAll(after);
      }
    }

    @Override
    public void deleted(ObjectName name, JobFacts last) {
      forget(name);
      queue.add(name);
      releaseAll(last);
    }
  }

  private final class PodChanges implements ObjectListener<PodFacts> {

    @Override
    public void added(ObjectName name, PodFacts pod) {
      if (pod.deleting()) {
        gone(pod, /* entirely= */ false);
        return;
      }
      Owner owner = pod.owner();
      if (owner == null) {
        orphan(pod);
        wakeMatching(pod);
        return;
      }
      owned(pod, owner)
          .ifPresent(
              job -> {
                expectations.created(job.name(), 1);
                addBatched(job.name());
              });
    }

    @Override
    public void updated(ObjectName name, PodFacts before, PodFacts after) {
      if (!before.uid().equals(after.uid())) {
        gone(before, /* entirely= */ true);
        added(name, after);
        return;
      }
      if (after.deleting()) {
        gone(after, /* entirely= */ false);
        return;
      }
      Owner old = before.owner();
      Owner owner = after.owner();
      if (old != null && !old.equals(owner)) {
        owned(before, old).ifPresent(job -> changed(job, after));
      }
      if (owner != null) {
        owned(after, owner).ifPresent(job -> changed(job, after));
        return;
      }
      orphan(after);
      if (old != null || !before.labels().equals(after.labels())) {
        wakeMatching(after);
      }
    }

    @Override
    public void deleted(ObjectName name, PodFacts last) {
      gone(last, /* entirely= */ true);
    }

    private void changed(JobFacts job, PodFacts pod) {
      if (!isTracked(pod)) {
        removals.observed(job.name(), pod.uid());
      }
      addBatched(job.name());
    }

    private void gone(PodFacts pod, boolean entirely) {
      Owner owner = pod.owner();
      JobFacts job = owner == null ? null : owned(pod, owner).orElse(null);
      if (job == null || job.isFinished()) {
        if (owner == null || owner.kind().equals(JobFacts.KIND)) {
          orphan(pod);
        }
        return;
      }
      expectations.deleted(job.name(), pod.uid());
      if (entirely || !isTracked(pod)) {
        removals.observed(job.name(), pod.uid());
      }
      addBatched(job.name());
    }

    private void orphan(PodFacts pod) {
      if (isTracked(pod)) {
        orphans.add(pod.name());
      }
    }

    private void wakeMatching(PodFacts pod) {
      for (JobFacts job : jobs.list(pod.name().namespace())) {
        LabelSelector selector = job.selector();
        if (selector != null && selector.matches(pod.labels())) {
          addBatched(job.name());
        }
      }
    }
  }
}
