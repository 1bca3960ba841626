package dev.keelson.controller.job;

import dev.keelson.controller.workload.JobPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;

/**
 * How long a Job waits after failures before it creates pods (source: {@code backoff_utils.go}).
 *
 * @param failures since the last success
 * @param last when the last pod failed; the epoch if none did
 */
record FailureDelay(int failures, Instant last) {

  static final FailureDelay NONE = new FailureDelay(0, Instant.EPOCH);

  /** The delays: doubled by each failure. */
  record Terms(Duration first, Duration longest) {

    /** As kube-controller-manager's. */
    static final Terms DEFAULT = new Terms(Duration.ofSeconds(10), Duration.ofMinutes(10));
  }

  /** The delay after more pods have ended. */
  FailureDelay after(List<JobPod> succeeded, List<JobPod> failed) {
    if (succeeded.isEmpty()) {
      return failed.isEmpty() ? this : new FailureDelay(failures + failed.size(), latest(failed));
    }
    Instant success = latest(succeeded);
    List<JobPod> since = failed.stream().filter(pod -> pod.finished().isAfter(success)).toList();
    return since.isEmpty() ? NONE : new FailureDelay(since.size(), latest(since));
  }

  private static Instant latest(List<JobPod> pods) {
    return pods.stream().map(JobPod::finished).max(Comparator.naturalOrder()).orElse(Instant.EPOCH);
  }

  /** The delay for the index of a pod that failed, after the failures that the pod tells. */
  static FailureDelay ofIndex(JobPod pod) {
    return new FailureDelay(pod.failures() + pod.ignoredFailures() + 1, pod.finished());
  }

  /** The time left; zero if pods may be created. */
  Duration remaining(Terms terms, Instant now) {
    if (failures == 0) {
      return Duration.ZERO;
    }
    Duration delay = terms.first();
    for (int i = 1; i < failures && delay.compareTo(terms.longest()) < 0; i++) {
      delay = delay.multipliedBy(2);
    }
    delay = delay.compareTo(terms.longest()) > 0 ? terms.longest() : delay;
    Duration left = delay.minus(Duration.between(last, now));
    return left.isNegative() ? Duration.ZERO : left;
  }
}
