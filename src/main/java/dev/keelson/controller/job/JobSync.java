package dev.keelson.controller.job;

import dev.keelson.api.ApiException;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.job.FailureDelay.Terms;
import dev.keelson.controller.job.FailurePolicy.Match;
import dev.keelson.controller.job.JobActions.Deleted;
import dev.keelson.controller.job.JobContext.Ending;
import dev.keelson.controller.workload.PodDeletionOrder;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One look at a Job (source: {@code syncJob} and {@code manageJob}). Confined to one thread. */
final class JobSync {

  /** At most this many pods are created or deleted in one look. */
  private static final int BURST = 500;

  private final JobActions actions;
  private final EventRecorder events;
  private final JobContext context;
  private final Job job;
  private final JobStatus status;
  private final Terms terms;
  private final Consumer<Duration> again;
  private final List<ApiException> failures = new ArrayList<>();
  private boolean changed;

  /**
   * @param again is told when to look again
   */
  JobSync(
      JobActions actions,
      EventRecorder events,
      JobContext context,
      Terms terms,
      Consumer<Duration> again) {
    this.actions = actions;
    this.events = events;
    this.context = context;
    this.job = context.job;
    this.status = context.status;
    this.terms = terms;
    this.again = again;
  }

  /**
   * Acts and writes the status.
   *
   * @param settled whether the informer has told all pods that were created and deleted
   * @param before how long the Job waited after the failures that are counted
   * @param written is told how long it waits now, when that is stored
   * @return the errors after which to look again
   */
  List<ApiException> run(boolean settled, FailureDelay before, Consumer<FailureDelay> written)
      throws InterruptedException {
    count(before);
    if (status.startTime.isEmpty() && !job.isSuspended()) {
      status.startTime = Times.text(context.now);
    }
    context.finished = ending();
    if (job.isIndexed()) {
      judgeIndexes();
    }
    if (context.finished != null) {
      deleteActive(settled);
    } else {
      proceed(settled);
    }
    if (context.finished != null && status.startTime.isEmpty() && needed() > 0) {
      // it ends while it is suspended, as by a lower limit of failures: a finished Job has a time
      status.startTime = Times.text(context.now);
    }
    changed |= context.active != status.active;
    changed |= !Integer.valueOf(context.ready).equals(status.ready);
    changed |= !Integer.valueOf(context.terminating).equals(status.terminating);
    status.active = context.active;
    status.ready = context.ready;
    status.terminating = context.terminating;
    new JobTracking(actions, events, context).track(changed, written, failures);
    return failures;
  }

  private void count(FailureDelay before) {
    List<OwnPod> succeeded = context.uncounted(context.uncountedSucceeded, OwnPod::succeeded);
    List<OwnPod> failed = context.uncounted(context.uncountedFailed, job::hasFailed);
    FailurePolicy policy = job.failurePolicy();
    int counted = (int) failed.stream().filter(pod -> policy.match(pod).counts()).count();
    context.succeeded = status.succeeded + succeeded.size() + context.uncountedSucceeded.size();
    context.failed = status.failed + counted + context.uncountedFailed.size();
    context.delay =
        before.after(
            succeeded.stream().map(OwnPod::state).toList(),
            failed.stream().map(OwnPod::state).toList());
  }

  /** Why the Job ends; null if it goes on. */
  private @Nullable Ending ending() {
    MapNode met = status.fulfilled(JobStatus.SUCCESS_CRITERIA_MET);
    if (met != null) {
      return new Ending(JobStatus.SUCCESS_CRITERIA_MET, met.text("reason"), met.text("message"));
    }
    MapNode target = status.fulfilled(JobStatus.FAILURE_TARGET);
    if (target != null) {
      return new Ending(JobStatus.FAILED, target.text("reason"), target.text("message"));
    }
    FailurePolicy policy = job.failurePolicy();
    for (OwnPod pod : context.pods) {
      if (job.hasFailed(pod)) {
        Match match = policy.match(pod);
        if (match.failsJob()) {
          return failure("PodFailurePolicy", match.message());
        }
      }
    }
    if (context.failed > job.backoffLimit() || restartedTooOften()) {
      return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
    }
    Integer seconds = job.activeDeadlineSeconds();
    if (seconds == null || job.isSuspended()) {
      return null;
    }
    Duration left =
        Duration.ofSeconds(seconds)
            .minus(Duration.between(Times.instant(status.startTime), context.now));
    if (!left.isPositive()) {
      return failure("DeadlineExceeded", "Job was active longer than specified deadline");
    }
    again.accept(left);
    return null;
  }

  private static Ending failure(String reason, String message) {
    return new Ending(JobStatus.FAILURE_TARGET, reason, message);
  }

  /** Containers that are restarted in their pod make no failed pods. */
  private boolean restartedTooOften() {
    if (!job.restartsContainers()) {
      return false;
    }
    long restarts =
        context.pods.stream()
            .filter(pod -> Set.of("Running", "Pending").contains(pod.facts().phase()))
            .mapToLong(pod -> pod.state().restarts())
            .sum();
    return restarts >= Math.max(1, job.backoffLimit());
  }

  private void judgeIndexes() {
    int completions = job.indexes();
    context.knownIndexes = Indexes.parse(status.completedIndexes, completions);
    context.succeededIndexes =
        context.knownIndexes.with(
            indexes(
                context.pods, pod -> pod.succeeded() && pod.tracked() && job.hasValidIndex(pod)));
    context.succeeded = context.succeededIndexes.count();
    Integer limit = job.backoffLimitPerIndex();
    if (limit != null) {
      judgeFailedIndexes(limit, completions);
    }
    if (context.finished == null) {
      SuccessPolicy.match(job, context.succeededIndexes)
          .ifPresent(
              message ->
                  context.finished =
                      new Ending(JobStatus.SUCCESS_CRITERIA_MET, "SuccessPolicy", message));
    }
  }

  private void judgeFailedIndexes(int limit, int completions) {
    String known = status.failedIndexes;
    Indexes failed =
        Indexes.parse(known == null ? "" : known, completions)
            .with(
                indexes(
                    context.pods,
                    pod -> pod.tracked() && job.hasValidIndex(pod) && failsIndex(pod, limit)));
    context.failedIndexes = failed;
    if (context.finished == null) {
      Integer most = job.maxFailedIndexes();
      if (most != null && failed.count() > most) {
        context.finished =
            failure(
                "MaxFailedIndexesExceeded",
                "Job has exceeded the specified maximal number of failed indexes");
      } else if (!failed.isEmpty()
          && failed.count() + context.succeededIndexes.count() >= completions) {
        context.finished = failure("FailedIndexes", "Job has failed indexes");
      }
    }
    Indexes settled =
        failed.with(context.succeededIndexes).with(indexes(context.activePods, _ -> true));
    for (OwnPod pod : context.uncounted(Set.of(), job::hasFailed)) {
      if (!settled.contains(pod.index())) {
        context.replaced.merge(pod.index(), pod, JobSync::last);
      }
    }
  }

  /** The one of two failed pods of an index that failed last. */
  private static OwnPod last(OwnPod one, OwnPod other) {
    boolean later =
        one.allFailures() <= other.allFailures()
            && !other.state().finished().isBefore(one.state().finished());
    return later ? other : one;
  }

  private boolean failsIndex(OwnPod pod, int limit) {
    if (!job.hasFailed(pod)) {
      return false;
    }
    Match match = job.failurePolicy().match(pod);
    return match.failsIndex() || (match.counts() && pod.state().failures() >= limit);
  }

  private static Indexes indexes(
      List<OwnPod> pods, java.util.function.Predicate<OwnPod> condition) {
    return Indexes.of(
        pods.stream()
            .filter(pod -> pod.index() >= 0 && condition.test(pod))
            .map(OwnPod::index)
            .toList());
  }

  private void deleteActive(boolean settled) throws InterruptedException {
    Deleted deleted = actions.deleteTracked(job, context.activePods, failures);
    if (deleted.pods() != context.active || !settled) {
      // there may be pods that the informer has not told
      context.finished = null;
    }
    subtract(deleted);
  }

  private void subtract(Deleted deleted) {
    context.active -= deleted.pods();
    context.terminating += deleted.pods();
    context.ready -= deleted.ready();
  }

  private void proceed(boolean settled) throws InterruptedException {
    boolean managed = settled && !job.meta().deleting();
    if (managed) {
      manage();
    }
    if (context.succeeded >= needed() && context.active == 0) {
      context.finished =
          new Ending(
              JobStatus.SUCCESS_CRITERIA_MET,
              "CompletionsReached",
              "Reached expected number of succeeded pods");
    } else if (managed) {
      tellSuspension();
    }
  }

  /** How many pods must succeed. */
  private int needed() {
    Integer completions = job.completions();
    return completions == null ? 1 : completions;
  }

  private void tellSuspension() {
    boolean suspended = job.isSuspended();
    MapNode condition =
        JobStatus.condition(
            JobStatus.SUSPENDED,
            suspended,
            suspended ? "JobSuspended" : "JobResumed",
            suspended ? "Job suspended" : "Job resumed",
            context.now);
    if (!status.set(condition)) {
      return;
    }
    changed = true;
    // the time in which the Job was suspended does not count
    status.startTime = suspended ? "" : Times.text(context.now);
    events.record(
        job.reference(),
        Type.NORMAL,
        suspended ? "Suspended" : "Resumed",
        suspended ? "Job suspended" : "Job resumed");
  }

  private void manage() throws InterruptedException {
    if (job.isSuspended()) {
      delete(forRemoval(context.active));
      return;
    }
    int wanted = wanted();
    List<OwnPod> surplus = forRemoval(Math.max(0, context.active - wanted));
    if (!surplus.isEmpty()) {
      // pods are created in the next look
      delete(surplus.subList(0, Math.min(BURST, surplus.size())));
      return;
    }
    int missing = wanted - context.active - (job.replacesEndedOnly() ? context.terminating : 0);
    if (missing > 0) {
      create(missing);
    }
  }

  private void delete(List<OwnPod> pods) throws InterruptedException {
    subtract(actions.delete(job, pods, failures));
  }

  private int wanted() {
    Integer completions = job.completions();
    if (completions == null) {
      return context.succeeded > 0 ? context.active : job.parallelism();
    }
    return Math.clamp(completions - context.succeeded, 0, job.parallelism());
  }

  private void create(int missing) throws InterruptedException {
    Duration wait =
        job.limitsEachIndex() ? Duration.ZERO : context.delay.remaining(terms, context.now);
    List<Integer> indexes = Collections.nCopies(Math.min(missing, BURST), -1);
    if (wait.isZero() && job.isIndexed()) {
      List<Integer> free = freeIndexes(Math.min(missing, BURST));
      Map<Integer, Duration> waits = waits(free);
      indexes = free.stream().filter(index -> !waits.containsKey(index)).toList();
      if (indexes.isEmpty()) {
        wait = waits.values().stream().min(Comparator.naturalOrder()).orElse(Duration.ZERO);
      }
    }
    if (!wait.isZero()) {
      again.accept(wait);
      return;
    }
    context.active += actions.create(job, indexes, context.replaced, failures);
  }

  private List<Integer> freeIndexes(int count) {
    Indexes taken = context.succeededIndexes.with(indexes(context.activePods, _ -> true));
    if (job.replacesEndedOnly()) {
      taken = taken.with(indexes(context.pods, OwnPod::terminating));
    }
    Indexes failed = context.failedIndexes;
    if (failed != null) {
      taken = taken.with(failed);
    }
    return taken.firstMissing(count, job.indexes());
  }

  /** The indexes that must wait after a failure. */
  private Map<Integer, Duration> waits(List<Integer> indexes) {
    Map<Integer, Duration> waits = new HashMap<>();
    for (int index : indexes) {
      OwnPod pod = context.replaced.get(index);
      Duration wait =
          pod == null
              ? Duration.ZERO
              : FailureDelay.ofIndex(pod.state()).remaining(terms, context.now);
      if (!wait.isZero()) {
        waits.put(index, wait);
      }
    }
    return waits;
  }

  /** The active pods to delete: those without or with the same index, and as many as asked for. */
  private List<OwnPod> forRemoval(int atLeast) {
    List<OwnPod> removed = new ArrayList<>();
    List<OwnPod> left = new ArrayList<>();
    Comparator<OwnPod> ownOrder = Comparator.comparing(OwnPod::facts, PodDeletionOrder.ofJob());
    if (job.isIndexed()) {
      context.activePods.stream()
          .collect(Collectors.groupingBy(OwnPod::index))
          .values()
          .forEach(
              same -> {
                List<OwnPod> sorted = same.stream().sorted(ownOrder).toList();
                boolean valid = job.hasValidIndex(sorted.getFirst());
                int kept = valid ? 1 : 0;
                removed.addAll(sorted.subList(0, sorted.size() - kept));
                left.addAll(sorted.subList(sorted.size() - kept, sorted.size()));
              });
    } else {
      left.addAll(context.activePods);
    }
    if (removed.size() < atLeast) {
      left.sort(ownOrder);
      removed.addAll(left.subList(0, Math.min(left.size(), atLeast - removed.size())));
    }
    return removed;
  }
}
