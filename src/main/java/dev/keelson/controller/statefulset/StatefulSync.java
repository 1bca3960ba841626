package dev.keelson.controller.statefulset;

import dev.keelson.api.ApiException;
import dev.keelson.controller.workload.Batches;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.RevisionFacts;
import dev.keelson.controller.workload.RevisionHistory;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * One look at the pods of a StatefulSet (source: {@code stateful_set_control.go}). Confined to one
 * thread, but for what runs side by side for sets without an order.
 */
final class StatefulSync {

  private final StatefulPods actions;
  private final RevisionHistory history;
  private final StatefulSet set;
  private final Map<Integer, PodFacts> replicas = new HashMap<>();

  /** Pods that scaling removes, the highest ordinal first. */
  private final List<PodFacts> condemned = new ArrayList<>();

  private final RevisionFacts currentRevision;
  private final RevisionFacts updateRevision;
  private final StatefulStatus status;
  private final Instant now;

  /** The first pod that is not available; null if all are or it does not exist. */
  private @Nullable PodFacts firstUnavailable;

  private final List<ApiException> failures = new ArrayList<>();
  private @Nullable MapNode currentTemplate;
  private volatile boolean waitsForClaim;

  /** Acts on one pod; true if no other may be acted on now. */
  @FunctionalInterface
  private interface Step<T> {
    boolean run(T value) throws InterruptedException;
  }

  StatefulSync(
      StatefulPods actions,
      RevisionHistory history,
      StatefulSet set,
      List<PodFacts> pods,
      RevisionFacts currentRevision,
      RevisionFacts updateRevision,
      StatefulStatus status,
      Instant now) {
    this.actions = actions;
    this.history = history;
    this.set = set;
    this.currentRevision = currentRevision;
    this.updateRevision = updateRevision;
    this.status = status;
    this.now = now;
    for (PodFacts pod : pods) {
      int ordinal = set.ordinal(pod);
      if (set.hasOrdinal(ordinal)) {
        replicas.put(ordinal, pod);
      } else {
        condemned.add(pod);
      }
    }
    condemned.sort(Comparator.comparingInt(set::ordinal).reversed());
  }

  /** Brings the pods nearer to what the set asks for; returns the errors. */
  List<ApiException> run() throws InterruptedException {
    if (set.meta().deleting()) {
      return failures;
    }
    findFirstUnavailable();
    if (set.partition() == 0 || currentRevision.name().equals(updateRevision.name())) {
      // no pod is created from another template
      currentTemplate = set.template();
    } else {
      MapNode stored = history.template(currentRevision);
      currentTemplate = stored.isEmpty() ? set.template() : stored;
    }
    List<Integer> ordinals = new ArrayList<>();
    for (int i = 0; i < set.replicas(); i++) {
      ordinals.add(set.start() + i);
    }
    if (all(ordinals, this::replica) || all(condemned, this::ownClaims)) {
      return failures;
    }
    if (all(condemned, this::remove) || set.updatesOnDelete()) {
      return failures;
    }
    update();
    return failures;
  }

  /** Whether a pod cannot be created before an old claim is gone. */
  boolean waitsForClaim() {
    return waitsForClaim;
  }

  private void findFirstUnavailable() {
    for (int i = 0; i < set.replicas(); i++) {
      PodFacts pod = replicas.get(set.start() + i);
      if (pod == null) {
        return;
      }
      if (isUnavailable(pod)) {
        firstUnavailable = pod;
        return;
      }
    }
    for (PodFacts pod : condemned.reversed()) {
      if (isUnavailable(pod)) {
        firstUnavailable = pod;
        return;
      }
    }
  }

  private boolean isAvailable(PodFacts pod) {
    return pod.phase().equals("Running") && pod.ready() && pod.available(set.minReady(), now);
  }

  private boolean isUnavailable(PodFacts pod) {
    return pod.deleting() || !isAvailable(pod);
  }

  /** Runs a step for each value, one after another if the set has an order; true if it ends. */
  private <T> boolean all(List<T> values, Step<T> step) throws InterruptedException {
    if (set.isOrdered()) {
      for (T value : values) {
        try {
          if (step.run(value)) {
            return true;
          }
        } catch (ApiException e) {
          failures.add(e);
          return true;
        }
      }
      return false;
    }
    Queue<T> left = new ConcurrentLinkedQueue<>(values);
    List<ApiException> errors = new ArrayList<>();
    int unused =
        Batches.slowStart(
            values.size(),
            () -> {
              boolean unusedEnd = step.run(left.remove());
            },
            errors);
    failures.addAll(errors);
    return !errors.isEmpty();
  }

  private boolean replica(int ordinal) throws InterruptedException {
    PodFacts pod = replicas.get(ordinal);
    if (pod == null) {
      return create(ordinal);
    }
    if (pod.ended()) {
      // the next pod of the name is created when this one is gone
      if (!pod.deleting()) {
        actions.delete(set, pod);
      }
      return true;
    }
    if (pod.phase().equals("Pending")) {
      actions.completeClaims(set, ordinal, pod.uid());
    }
    if (set.isOrdered() && isUnavailable(pod)) {
      return true;
    }
    if (!pod.deleting()) {
      actions.conform(set, pod);
    }
    return false;
  }

  private boolean create(int ordinal) throws InterruptedException {
    if (actions.hasStaleClaim(set, ordinal)) {
      waitsForClaim = true;
      return true;
    }
    boolean current = !set.updatesOnDelete() && ordinal < (long) set.start() + set.partition();
    MapNode template = currentTemplate;
    if (current && template != null) {
      actions.create(set, template, currentRevision.name().name(), ordinal);
    } else {
      actions.create(set, set.template(), updateRevision.name().name(), ordinal);
    }
    return true;
  }

  private boolean ownClaims(PodFacts pod) throws InterruptedException {
    int ordinal = set.ordinal(pod);
    if (!actions.areClaimsOwned(set, ordinal, pod.uid())) {
      actions.ownClaims(set, ordinal, pod.uid());
    }
    return false;
  }

  private boolean remove(PodFacts pod) throws InterruptedException {
    if (pod.deleting()) {
      return true;
    }
    if (set.isOrdered() && !isAvailable(pod) && !pod.equals(firstUnavailable)) {
      return true;
    }
    actions.delete(set, pod);
    return true;
  }

  private boolean isOutdated(PodFacts pod) {
    return !updateRevision
        .name()
        .name()
        .equals(pod.labels().getOrDefault(StatefulPods.REVISION, ""));
  }

  /** Replaces one outdated pod at a time, the last first, and waits for each. */
  private void update() throws InterruptedException {
    for (int i = set.replicas() - 1; i >= set.partition(); i--) {
      PodFacts pod = replicas.get(set.start() + i);
      if (pod != null && isOutdated(pod) && !pod.deleting()) {
        try {
          actions.delete(set, pod);
        } catch (ApiException e) {
          failures.add(e);
          return;
        }
        status.updating();
        return;
      }
      if (pod == null || isUnavailable(pod)) {
        return;
      }
    }
  }
}
