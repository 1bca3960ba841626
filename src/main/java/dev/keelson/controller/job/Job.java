package dev.keelson.controller.job;

import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.JobFacts;
import dev.keelson.controller.workload.Numbers;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import org.jspecify.annotations.Nullable;

/** A view of the spec of a Job. */
record Job(ApiObject object) {

  ObjectMeta meta() {
    return object.meta();
  }

  MapNode spec() {
    return object.root().map("spec");
  }

  MapNode status() {
    return object.root().map("status");
  }

  MapNode template() {
    return spec().map("template");
  }

  int parallelism() {
    return Numbers.of(spec(), "parallelism", 1);
  }

  /** Null if one success is enough. */
  @Nullable Integer completions() {
    return Numbers.orNull(spec(), "completions");
  }

  boolean isIndexed() {
    return spec().text("completionMode").equals("Indexed");
  }

  boolean hasKnownMode() {
    String mode = spec().text("completionMode");
    return mode.isEmpty() || mode.equals("NonIndexed") || mode.equals("Indexed");
  }

  /** The number of indexes; 0 if the Job is not indexed. */
  int indexes() {
    Integer completions = completions();
    return isIndexed() && completions != null ? completions : 0;
  }

  int backoffLimit() {
    return Numbers.of(spec(), "backoffLimit", 6);
  }

  /** Null if failures are counted for the whole Job only. */
  @Nullable Integer backoffLimitPerIndex() {
    return isIndexed() ? Numbers.orNull(spec(), "backoffLimitPerIndex") : null;
  }

  boolean limitsEachIndex() {
    return backoffLimitPerIndex() != null;
  }

  @Nullable Integer maxFailedIndexes() {
    return Numbers.orNull(spec(), "maxFailedIndexes");
  }

  @Nullable Integer activeDeadlineSeconds() {
    return Numbers.orNull(spec(), "activeDeadlineSeconds");
  }

  boolean isSuspended() {
    return spec().get("suspend") == Node.Bool.TRUE;
  }

  boolean restartsContainers() {
    return template().map("spec").text("restartPolicy").equals("OnFailure");
  }

  FailurePolicy failurePolicy() {
    return new FailurePolicy(spec().map("podFailurePolicy").maps("rules"));
  }

  /** Whether pods that are being deleted are replaced only when they have ended. */
  boolean replacesEndedOnly() {
    return spec().text("podReplacementPolicy").equals("Failed") || spec().has("podFailurePolicy");
  }

  /** Whether a pod counts as failed: a deleted one may never come to the phase Failed. */
  boolean hasFailed(OwnPod own) {
    PodFacts pod = own.facts();
    return pod.phase().equals("Failed")
        || (!replacesEndedOnly() && pod.deleting() && !pod.phase().equals("Succeeded"));
  }

  /** Whether a pod belongs to one of the indexes, if the Job has such. */
  boolean hasValidIndex(OwnPod pod) {
    return !isIndexed() || (pod.index() >= 0 && pod.index() < indexes());
  }

  ObjectReference reference() {
    return JobFacts.of(object).reference();
  }
}
