package dev.keelson.controller.job;

import dev.keelson.api.ApiException;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.job.FailurePolicy.Match;
import dev.keelson.controller.job.JobContext.Ending;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Counts ended pods exactly once (source: {@code trackJobStatusAndRemoveFinalizers}; KEP-2307):
 * their uids are written to the status, then their finalizers are removed, then the numbers of the
 * status rise as the uids leave it. A crash between two of these steps is made good by the next
 * look.
 */
final class JobTracking {

  /** At most this many ended pods are in the status at once. */
  private static final int MOST_UNCOUNTED = 500;

  private final JobActions actions;
  private final EventRecorder events;
  private final JobContext context;
  private final Job job;
  private final JobStatus status;
  private final List<OwnPod> ended = new ArrayList<>();
  private final List<Integer> newIndexes = new ArrayList<>();

  /** Whether the status differs from the stored one. */
  private boolean changed;

  JobTracking(JobActions actions, EventRecorder events, JobContext context) {
    this.actions = actions;
    this.events = events;
    this.context = context;
    this.job = context.job;
    this.status = context.status;
  }

  /**
   * Counts, and ends the Job if there is a reason.
   *
   * @param statusChanged whether the status must be written in any case
   * @param written is called when the new uids are stored
   */
  void track(boolean statusChanged, Consumer<FailureDelay> written, List<ApiException> failures)
      throws InterruptedException {
    changed = statusChanged;
    Set<String> withFinalizer = new HashSet<>();
    for (OwnPod pod : context.pods) {
      if (isNew(pod)) {
        withFinalizer.add(pod.uid());
      }
    }
    changed |= status.countWithoutFinalizer(withFinalizer);
    boolean all = collect();
    if (job.isIndexed()) {
      writeIndexes();
    }
    announceEnd();
    if (changed) {
      context.job = actions.writeStatus(context.job, status);
      written.accept(context.delay);
      changed = false;
    }
    List<ApiException> errors = new ArrayList<>();
    withFinalizer.removeAll(actions.removeFinalizers(job, ended, errors));
    changed |= status.countWithoutFinalizer(withFinalizer);
    boolean finishes = all && errors.isEmpty() && end();
    if (changed) {
      context.job = actions.writeStatus(context.job, status);
    }
    if (finishes) {
      recordEnd();
    }
    failures.addAll(errors);
  }

  private boolean isNew(OwnPod pod) {
    return pod.tracked() && !context.removing.contains(pod.uid());
  }

  /** Collects the ended pods; false if there are more than one look may count. */
  private boolean collect() {
    List<OwnPod> pods = new ArrayList<>(context.pods);
    if (job.isIndexed()) {
      pods.sort(Comparator.comparingInt(OwnPod::index));
    }
    for (OwnPod pod : pods) {
      boolean failed = job.hasFailed(pod);
      if (!isNew(pod) || !mayRelease(pod, failed)) {
        continue;
      }
      ended.add(pod);
      if (pod.succeeded() && !context.uncountedFailed.contains(pod.uid())) {
        addSucceeded(pod);
      } else if (failed || endsInFailure()) {
        addFailed(pod);
      }
      if (newIndexes.size() + status.uncountedSucceeded.size() + status.uncountedFailed.size()
          >= MOST_UNCOUNTED) {
        return false;
      }
    }
    return true;
  }

  private boolean endsInFailure() {
    Ending ending = context.finished;
    return ending != null && !ending.type().equals(JobStatus.SUCCESS_CRITERIA_MET);
  }

  /** A failed pod stays while its count of failures is needed for the next pod of its index. */
  private boolean mayRelease(OwnPod pod, boolean failed) {
    if (job.meta().deleting() || context.finished != null || pod.succeeded()) {
      return true;
    }
    return failed && !pod.equals(context.replaced.get(pod.index()));
  }

  private void addSucceeded(OwnPod pod) {
    if (job.isIndexed()) {
      if (job.hasValidIndex(pod) && !context.knownIndexes.contains(pod.index())) {
        newIndexes.add(pod.index());
        changed = true;
      }
    } else if (!context.uncountedSucceeded.contains(pod.uid())) {
      status.uncountedSucceeded.add(pod.uid());
      changed = true;
    }
  }

  private void addFailed(OwnPod pod) {
    if (context.uncountedFailed.contains(pod.uid()) || !job.hasValidIndex(pod)) {
      return;
    }
    Match match = job.failurePolicy().match(pod);
    if (match.counts()) {
      status.uncountedFailed.add(pod.uid());
      changed = true;
    }
  }

  private void writeIndexes() {
    context.succeededIndexes = context.succeededIndexes.with(Indexes.of(newIndexes));
    String completed = context.succeededIndexes.toString();
    changed |= !completed.equals(status.completedIndexes);
    status.completedIndexes = completed;
    status.succeeded = context.succeededIndexes.count();
    Indexes failed = context.failedIndexes;
    String text = failed == null ? null : failed.toString();
    changed |= text == null ? status.failedIndexes != null : !text.equals(status.failedIndexes);
    status.failedIndexes = text;
  }

  /** Says how the Job will end before any finalizer is removed (KEP-3998, KEP-3329). */
  private void announceEnd() {
    Ending ending = context.finished;
    if (ending == null) {
      return;
    }
    boolean success = ending.type().equals(JobStatus.SUCCESS_CRITERIA_MET);
    boolean target = ending.type().equals(JobStatus.FAILURE_TARGET);
    if (target || (success && status.fulfilled(ending.type()) == null)) {
      status.conditions.add(condition(ending));
      changed = true;
    }
    context.finished =
        new Ending(
            success ? JobStatus.COMPLETE : JobStatus.FAILED, ending.reason(), ending.message());
  }

  private MapNode condition(Ending ending) {
    return JobStatus.condition(
        ending.type(), /* status= */ true, ending.reason(), ending.message(), context.now);
  }

  /** Ends the Job when all is counted and no pod is left; false if it does not end. */
  private boolean end() {
    Ending ending = context.finished;
    if (ending == null
        || !status.uncountedSucceeded.isEmpty()
        || !status.uncountedFailed.isEmpty()
        || context.terminating > 0) {
      return false;
    }
    changed |= status.set(condition(ending));
    if (ending.type().equals(JobStatus.COMPLETE)) {
      status.completionTime = Times.text(context.now);
    }
    changed = true;
    return true;
  }

  private void recordEnd() {
    Ending ending = context.finished;
    if (ending == null) {
      return;
    }
    if (!ending.type().equals(JobStatus.COMPLETE)) {
      events.record(job.reference(), Type.WARNING, ending.reason(), ending.message());
      return;
    }
    Integer completions = job.completions();
    if (completions != null && status.succeeded > completions) {
      events.record(
          job.reference(),
          Type.WARNING,
          "TooManySucceededPods",
          "Too many succeeded pods running after completion count reached");
    }
    events.record(job.reference(), Type.NORMAL, "Completed", "Job completed");
  }
}
