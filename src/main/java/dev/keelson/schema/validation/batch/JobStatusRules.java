package dev.keelson.schema.validation.batch;

import dev.keelson.object.Node;
import dev.keelson.schema.validation.Value;
import java.util.HashSet;
import java.util.Set;

/**
 * What the status of a job may say (source: the validation of job statuses, with the options of the
 * job status strategy). Most rules hold only for what a write changes, so that a job that breaks
 * them already can go on.
 */
final class JobStatusRules {
  private final Value job;

  private final Value status;

  private final Value was;

  private final boolean complete;

  private final boolean failed;

  private final boolean target;

  private final boolean met;

  private JobStatusRules(Value job, Value old) {
    this.job = job;
    this.status = job.get("status");
    this.was = old.get("status");
    this.complete = isTrue(status, "Complete");
    this.failed = isTrue(status, "Failed");
    this.target = isTrue(status, "FailureTarget");
    this.met = isTrue(status, "SuccessCriteriaMet");
  }

  static void validateJobStatusUpdate(Value job, Value old) {
    JobStatusRules rules = new JobStatusRules(job, old);
    rules.numbers();
    rules.conditionsAndTimes();
    rules.finished();
    rules.indexes();
    rules.afterIndexes();
    rules.transitions();
  }

  /** Whether a status has a condition that holds. */
  static boolean isTrue(Value status, String condition) {
    for (Value each : status.get("conditions")) {
      if (each.get("type").is(condition) && each.get("status").is("True")) {
        return true;
      }
    }
    return false;
  }

  private boolean changed(String field) {
    return !status.get(field).sameAs(was.get(field));
  }

  private boolean turned(String condition) {
    return isTrue(status, condition) != isTrue(was, condition);
  }

  private boolean ended() {
    return complete || failed;
  }

  private boolean endChanged() {
    return ended() != (isTrue(was, "Complete") || isTrue(was, "Failed"));
  }

  private void numbers() {
    for (String field : new String[] {"active", "succeeded", "failed", "ready", "terminating"}) {
      status.get(field).nonNegative();
    }
    Set<String> seen = new HashSet<>();
    for (String list : new String[] {"succeeded", "failed"}) {
      for (Value pod : status.get("uncountedTerminatedPods", list)) {
        if (pod.text().isEmpty()) {
          pod.invalid("must not be empty");
        } else if (!seen.add(pod.text())) {
          pod.duplicate();
        }
      }
    }
  }

  private void conditionsAndTimes() {
    Value conditions = status.get("conditions");
    if (complete && failed && (turned("Complete") || turned("Failed"))) {
      conditions.wrong("cannot set Complete=True and Failed=true conditions");
    }
    if (complete && target && (turned("Complete") || turned("FailureTarget"))) {
      conditions.wrong("cannot set Complete=True and FailureTarget=true conditions");
    }
    Value start = status.get("startTime");
    Value end = status.get("completionTime");
    if (turned("Complete") || changed("completionTime")) {
      if (!complete && end.present()) {
        end.invalid("cannot set completionTime when there is no Complete=True condition");
      }
      if (complete && end.absent()) {
        end.required("completionTime is required for Complete jobs");
      }
    }
    if ((changed("startTime") || changed("completionTime"))
        && start.present()
        && end.present()
        && end.text().compareTo(start.text()) < 0) {
      end.invalid("completionTime cannot be set before startTime");
    }
    if (failed && !target && (turned("Failed") || turned("FailureTarget"))) {
      conditions.wrong("cannot set Failed=True condition without the FailureTarget=true condition");
    }
    if (complete && !met && (turned("Complete") || turned("SuccessCriteriaMet"))) {
      conditions.wrong(
          "cannot set Complete=True condition without the SuccessCriteriaMet=true condition");
    }
  }

  private void finished() {
    if (!ended()) {
      return;
    }
    if (status.get("active").number() > 0 && (endChanged() || changed("active"))) {
      status.get("active").invalid("active>0 is invalid for finished job");
    }
    Value spec = job.get("spec");
    Value completions = spec.get("completions");
    boolean idle = spec.get("suspend").flag() && completions.present() && completions.number() == 0;
    if (status.get("startTime").absent() && !idle && (endChanged() || changed("startTime"))) {
      status.get("startTime").required("startTime is required for finished job");
    }
    Value uncounted = status.get("uncountedTerminatedPods");
    if (uncounted.get("succeeded").size() + uncounted.get("failed").size() > 0
        && (endChanged() || changed("uncountedTerminatedPods"))) {
      uncounted.invalid("uncountedTerminatedPods needs to be empty for finished job");
    }
  }

  private void indexes() {
    Value spec = job.get("spec");
    Value completions = spec.get("completions");
    Value perIndex = spec.get("backoffLimitPerIndex");
    Value done = status.get("completedIndexes");
    Value lost = status.get("failedIndexes");
    // an empty text is the same as none
    boolean doneChanged = !done.text().equals(was.get("completedIndexes").text());
    boolean lostChanged = changed("failedIndexes");
    if (doneChanged && completions.present()) {
      format(done, completions.number());
    }
    if (lostChanged && completions.present() && perIndex.present() && lost.present()) {
      format(lost, completions.number());
    }
    if (doneChanged && done.filled() && !spec.get("completionMode").is("Indexed")) {
      done.invalid("cannot set non-empty completedIndexes when non-indexed completion mode");
    }
    if (lostChanged && perIndex.absent() && lost.present()) {
      lost.invalid("cannot set non-null failedIndexes when backoffLimitPerIndex is null");
    }
    if ((doneChanged || lostChanged) && completions.present() && lost.present()) {
      long both = IndexIntervals.firstInBoth(done.text(), lost.text(), completions.number());
      if (both >= 0) {
        lost.invalid("failedIndexes and completedIndexes overlap at index: " + both);
      }
    }
  }

  private static void format(Value indexes, long completions) {
    String problem = IndexIntervals.parse(indexes.text(), completions).problem();
    if (!problem.isEmpty()) {
      indexes.invalid("error parsing " + indexes.name() + ": " + problem);
    }
  }

  private void afterIndexes() {
    Value terminating = status.get("terminating");
    if (terminating.number() > 0 && ended() && (endChanged() || changed("terminating"))) {
      terminating.invalid("terminating>0 is invalid for finished job");
    }
    Value ready = status.get("ready");
    if (ready.number() > status.get("active").number() && (changed("ready") || changed("active"))) {
      ready.invalid("cannot set more ready pods than active");
    }
    Value conditions = status.get("conditions");
    if (met && failed) {
      conditions.wrong("cannot set SuccessCriteriaMet=True and Failed=true conditions");
    }
    if (met && target) {
      conditions.wrong("cannot set SuccessCriteriaMet=True and FailureTarget=true conditions");
    }
    if (job.get("spec", "successPolicy").present() && !met && complete) {
      conditions.wrong(
          "cannot set Complete=True for Job with SuccessPolicy unless SuccessCriteriaMet=True");
    }
  }

  private void transitions() {
    Value conditions = status.get("conditions");
    for (String kind : new String[] {"Failed", "Complete", "FailureTarget"}) {
      if (isTrue(was, kind) && !isTrue(status, kind)) {
        conditions.wrong("cannot disable the terminal " + kind + "=True condition");
      }
    }
    counters();
    Value end = status.get("completionTime");
    if (end.present() && was.get("completionTime").present() && changed("completionTime")) {
      end.invalid("completionTime cannot be mutated");
    }
    // a job that is resumed starts again
    boolean resumed = isTrue(was, "Suspended") && !isTrue(status, "Suspended");
    if (was.get("startTime").present()
        && changed("startTime")
        && !resumed
        && !job.get("spec", "suspend").flag()) {
      status.get("startTime").invalid("field is immutable for unsuspended job once set");
    }
    boolean wasMet = isTrue(was, "SuccessCriteriaMet");
    if (wasMet && !met) {
      conditions.wrong("cannot disable the SuccessCriteriaMet=True condition");
    }
    if (isTrue(was, "Complete") && !wasMet && met) {
      conditions.wrong(
          "cannot set SuccessCriteriaMet=True for Job already has Complete=true conditions");
    }
  }

  private void counters() {
    Value lost = status.get("failed");
    if (lost.number() < was.get("failed").number()) {
      // a plain number in Kubernetes, which shows 0 where none is
      lost.holding(new Node.Int(lost.number())).invalid("cannot decrease the failed counter");
    }
    // an indexed job whose two numbers are the same can be scaled down
    Value spec = job.get("spec");
    boolean elastic =
        spec.get("completionMode").is("Indexed")
            && spec.get("completions").sameAs(spec.get("parallelism"));
    Value done = status.get("succeeded");
    if (!elastic && done.number() < was.get("succeeded").number()) {
      done.holding(new Node.Int(done.number())).invalid("cannot decrease the succeeded counter");
    }
  }
}
