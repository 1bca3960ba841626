package dev.keelson.controller.daemonset;

import dev.keelson.controller.daemonset.DaemonFit.Verdict;
import dev.keelson.controller.workload.PodFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A step of a rolling update (source: {@code update.go}). Confined to one thread. */
final class DaemonUpdate {

  private final DaemonSet set;
  private final String hash;
  private final Instant now;
  private final Map<String, Verdict> verdicts = new HashMap<>();
  private final Map<String, List<PodFacts>> byNode;
  private int wanted;

  /** The nodes that get a pod. */
  final List<String> created = new ArrayList<>();

  final List<PodFacts> deleted = new ArrayList<>();

  /**
   * The pods of a node.
   *
   * @param excess whether there are several old or new ones
   */
  private record Pods(@Nullable PodFacts newPod, @Nullable PodFacts oldPod, boolean excess) {}

  DaemonUpdate(
      DaemonSet set,
      String hash,
      List<DaemonNode> nodes,
      DaemonFit fit,
      List<PodFacts> pods,
      Instant now) {
    this.set = set;
    this.hash = hash;
    this.now = now;
    this.byNode = new TreeMap<>(NodePods.byNode(pods));
    for (DaemonNode node : nodes) {
      Verdict verdict = fit.on(node);
      verdicts.put(node.name(), verdict);
      if (verdict == Verdict.RUN) {
        wanted++;
        List<PodFacts> unused = byNode.computeIfAbsent(node.name(), _ -> List.of());
      }
    }
  }

  void step() {
    int surge = set.maxSurge(wanted);
    if (surge == 0) {
      replace(set.maxUnavailable(wanted));
    } else {
      surge(surge);
    }
  }

  private boolean isAvailable(PodFacts pod) {
    return pod.available(set.minReady(), now);
  }

  private Pods of(List<PodFacts> pods) {
    PodFacts newPod = null;
    PodFacts oldPod = null;
    for (PodFacts pod : pods) {
      if (pod.deleting()) {
        continue;
      }
      boolean isNew = set.isUpdated(pod, hash);
      if ((isNew ? newPod : oldPod) != null) {
        return new Pods(null, null, /* excess= */ true);
      }
      if (isNew) {
        newPod = pod;
      } else {
        oldPod = pod;
      }
    }
    return new Pods(newPod, oldPod, /* excess= */ false);
  }

  /** Deletes old pods; new ones are created when they are gone. */
  private void replace(int maxUnavailable) {
    int unavailable = 0;
    List<PodFacts> candidates = new ArrayList<>();
    for (List<PodFacts> each : byNode.values()) {
      Pods pods = of(each);
      PodFacts newPod = pods.newPod();
      PodFacts oldPod = pods.oldPod();
      if (pods.excess() || (newPod == null) == (oldPod == null)) {
        unavailable++;
      } else if (newPod != null) {
        unavailable += isAvailable(newPod) ? 0 : 1;
      } else if (oldPod != null && !isAvailable(oldPod)) {
        deleted.add(oldPod);
        unavailable++;
      } else if (oldPod != null && unavailable < maxUnavailable) {
        candidates.add(oldPod);
      }
    }
    int allowed = Math.clamp(maxUnavailable - unavailable, 0, candidates.size());
    deleted.addAll(candidates.subList(0, allowed));
  }

  /** Creates new pods beside old ones. */
  private void surge(int maxSurge) {
    int surging = 0;
    int available = 0;
    List<String> candidates = new ArrayList<>();
    List<PodFacts> leaving = new ArrayList<>();
    for (Map.Entry<String, List<PodFacts>> each : byNode.entrySet()) {
      Pods pods = of(each.getValue());
      if (pods.excess()) {
        surging++;
        continue;
      }
      PodFacts newPod = pods.newPod();
      PodFacts oldPod = pods.oldPod();
      PodFacts first = oldPod == null ? newPod : oldPod;
      available += first != null && isAvailable(first) ? 1 : 0;
      if (oldPod == null) {
        continue;
      }
      boolean stays = verdicts.get(each.getKey()) == Verdict.RUN;
      if (newPod != null) {
        if (isAvailable(newPod)) {
          deleted.add(oldPod);
        } else {
          surging++;
        }
      } else if (!isAvailable(oldPod)) {
        if (stays) {
          created.add(each.getKey());
        } else {
          deleted.add(oldPod);
        }
      } else if (!stays) {
        leaving.add(oldPod);
      } else if (surging < maxSurge) {
        candidates.add(each.getKey());
      }
    }
    // pods on nodes that do not suit any more stay until others take their place
    deleted.addAll(leaving.subList(0, Math.clamp(available - wanted, 0, leaving.size())));
    created.addAll(candidates.subList(0, Math.clamp(maxSurge - surging, 0, candidates.size())));
  }
}
