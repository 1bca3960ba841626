package dev.keelson.controller.daemonset;

import dev.keelson.controller.daemonset.DaemonFit.Verdict;
import dev.keelson.controller.event.EventRecorder;
import dev.keelson.controller.event.EventRecorder.Type;
import dev.keelson.controller.workload.PodFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Decides which nodes need a pod and which pods must go, and nothing of updates (source: {@code
 * podsShouldBeOnNode}). Confined to one thread.
 */
final class NodePods {

  /** Scheduled before others, then the oldest. */
  static final Comparator<PodFacts> OLDEST =
      Comparator.<PodFacts>comparingInt(pod -> pod.node().isEmpty() ? 1 : 0)
          .thenComparing(PodFacts::created)
          .thenComparing(PodFacts::name);

  private final DaemonSet set;
  private final String hash;
  private final EventRecorder events;
  private final FailedPods failed;
  private final Consumer<Duration> again;
  private final Instant now;
  private final Map<String, List<PodFacts>> byNode = new HashMap<>();

  final List<String> missing = new ArrayList<>();
  final List<PodFacts> surplus = new ArrayList<>();

  /**
   * @param hash the revision of new pods
   * @param again is told when to look again
   */
  NodePods(
      DaemonSet set,
      String hash,
      EventRecorder events,
      FailedPods failed,
      Consumer<Duration> again,
      Instant now) {
    this.set = set;
    this.hash = hash;
    this.events = events;
    this.failed = failed;
    this.again = again;
    this.now = now;
  }

  /** The pods by node; those that have ended and are being deleted are gone. */
  static Map<String, List<PodFacts>> byNode(List<PodFacts> pods) {
    Map<String, List<PodFacts>> byNode = new HashMap<>();
    for (PodFacts pod : pods) {
      if (!pod.target().isEmpty() && !(pod.ended() && pod.deleting())) {
        byNode.computeIfAbsent(pod.target(), _ -> new ArrayList<>()).add(pod);
      }
    }
    byNode.values().forEach(each -> each.sort(OLDEST));
    return byNode;
  }

  void decide(Collection<DaemonNode> nodes, DaemonFit fit, List<PodFacts> pods) {
    byNode.putAll(byNode(pods));
    Set<String> known = new HashSet<>();
    for (DaemonNode node : nodes) {
      known.add(node.name());
      decide(node.name(), fit.on(node), byNode.getOrDefault(node.name(), List.of()));
    }
    // they will never be scheduled, and nobody else deletes them
    byNode.forEach(
        (node, own) -> {
          if (!known.contains(node)) {
            own.stream().filter(pod -> pod.node().isEmpty()).forEach(surplus::add);
          }
        });
  }

  private void decide(String node, Verdict verdict, List<PodFacts> pods) {
    if (verdict == Verdict.NONE) {
      pods.stream().filter(pod -> !pod.deleting()).forEach(surplus::add);
      return;
    }
    if (pods.isEmpty()) {
      if (verdict == Verdict.RUN) {
        missing.add(node);
      }
      return;
    }
    List<PodFacts> running = new ArrayList<>();
    for (PodFacts pod : pods) {
      if (!pod.deleting() && !removeEnded(node, pod)) {
        running.add(pod);
      }
    }
    if (!set.surges()) {
      surplus.addAll(running.subList(Math.min(1, running.size()), running.size()));
    } else if (running.isEmpty()) {
      if (verdict == Verdict.RUN) {
        missing.add(node);
      }
    } else {
      keepOneOfEach(running);
    }
  }

  /** Whether a pod has ended; it is deleted, at once or after a time. */
  private boolean removeEnded(String node, PodFacts pod) {
    if (!pod.ended()) {
      return false;
    }
    boolean success = pod.phase().equals("Succeeded");
    if (!success) {
      Duration wait =
          failed.wait(set.meta().uid() + "/" + set.meta().generation() + "/" + node, now);
      if (!wait.isZero()) {
        again.accept(wait);
        return true;
      }
    }
    String what = pod.name() + " on node " + node + ", will try to ";
    events.record(
        set.reference(),
        success ? Type.NORMAL : Type.WARNING,
        success ? "SucceededDaemonPod" : "FailedDaemonPod",
        success
            ? "Found succeeded daemon pod " + what + "delete it"
            : "Found failed daemon pod " + what + "kill it");
    surplus.add(pod);
    return true;
  }

  /** While an update surges, a ready old pod and a new one that is not available stay. */
  private void keepOneOfEach(List<PodFacts> running) {
    PodFacts newPod = null;
    PodFacts oldPod = null;
    if (running.size() == 1) {
      return;
    }
    for (PodFacts pod : running) {
      boolean isNew = hash.equals(pod.labels().get(DaemonSet.REVISION));
      if (isNew && newPod == null) {
        newPod = pod;
      } else if (!isNew && oldPod == null) {
        oldPod = pod;
      } else {
        surplus.add(pod);
      }
    }
    if (mayGo(oldPod, newPod) && oldPod != null) {
      surplus.add(oldPod);
    }
  }

  private boolean mayGo(@Nullable PodFacts oldPod, @Nullable PodFacts newPod) {
    return oldPod != null
        && newPod != null
        && (!oldPod.ready() || newPod.available(set.minReady(), now));
  }
}
