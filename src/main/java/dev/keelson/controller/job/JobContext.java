package dev.keelson.controller.job;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** What one look at a Job has found and decided so far. Confined to one thread. */
final class JobContext {

  /** As on the server; replaced when its status is written. */
  Job job;

  final List<OwnPod> pods;
  final List<OwnPod> activePods;
  final JobStatus status;

  /** The pods whose finalizer is removed, though the informer has not told it, by their uids. */
  final Set<String> removing;

  final Set<String> uncountedSucceeded;
  final Set<String> uncountedFailed;
  final Instant now;

  int active;
  int ready;
  int terminating;
  int succeeded;
  int failed;
  FailureDelay delay = FailureDelay.NONE;

  /** Why the Job ends; null if it does not. */
  @Nullable Ending finished;

  Indexes knownIndexes = Indexes.NONE;
  Indexes succeededIndexes = Indexes.NONE;

  /** Null if the Job does not limit the failures of each index. */
  @Nullable Indexes failedIndexes;

  /** Failed pods that stay until the index has another pod, which gets their count of failures. */
  final Map<Integer, OwnPod> replaced = new HashMap<>();

  /** A condition that ends the Job, or says that it will. */
  record Ending(String type, String reason, String message) {}

  JobContext(Job job, List<OwnPod> pods, Set<String> removing, Instant now) {
    this.job = job;
    this.pods = List.copyOf(pods);
    this.activePods = pods.stream().filter(pod -> pod.facts().active()).toList();
    this.status = new JobStatus(job.status());
    this.removing = Set.copyOf(removing);
    this.uncountedSucceeded = new HashSet<>(status.uncountedSucceeded);
    this.uncountedFailed = new HashSet<>(status.uncountedFailed);
    this.now = now;
    this.active = activePods.size();
    this.ready = (int) activePods.stream().filter(pod -> pod.facts().ready()).count();
    this.terminating = (int) pods.stream().filter(OwnPod::terminating).count();
  }

  /** The pods that are not counted in the status, of valid indexes. */
  List<OwnPod> uncounted(Set<String> alreadyThere, Predicate<OwnPod> condition) {
    return pods.stream()
        .filter(
            pod ->
                pod.tracked()
                    && !alreadyThere.contains(pod.uid())
                    && !removing.contains(pod.uid())
                    && job.hasValidIndex(pod)
                    && condition.test(pod))
        .toList();
  }
}
