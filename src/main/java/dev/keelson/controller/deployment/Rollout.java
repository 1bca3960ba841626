package dev.keelson.controller.deployment;

import dev.keelson.controller.deployment.ReplicaSets.HashCollision;
import dev.keelson.controller.workload.PodFacts;
import dev.keelson.controller.workload.ReplicaSetFacts;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One look at a Deployment: the next step of its rollout and the status after it (source:
 * Kubernetes' {@code sync.go}, {@code rolling.go}, {@code recreate.go}). Used once, by one thread.
 */
final class Rollout {

  private final ReplicaSets actions;
  private final Instant now;
  private Deployment deployment;

  /** The ReplicaSet of the present template; null until it exists. */
  private @Nullable ReplicaSetFacts newest;

  /** The ReplicaSets of other templates. */
  private final List<ReplicaSetFacts> old = new ArrayList<>();

  /**
   * @param sets the ReplicaSets of the Deployment
   */
  Rollout(ReplicaSets actions, Deployment deployment, List<ReplicaSetFacts> sets, Instant now) {
    this.actions = actions;
    this.now = now;
    this.deployment = deployment;
    String wanted = deployment.templateDigest();
    for (ReplicaSetFacts set : Scaling.byAge(sets)) {
      // with several of one template, the oldest counts
      if (newest == null && set.template().equals(wanted)) {
        newest = set;
      } else {
        old.add(set);
      }
    }
  }

  /**
   * Takes the next step.
   *
   * @param pods finds the pods of a ReplicaSet
   * @return the Deployment as it is stored now
   */
  Deployment step(Function<ReplicaSetFacts, List<PodFacts>> pods) throws InterruptedException {
    if (deployment.object().meta().deleting()) {
      storeStatus(status());
      return deployment;
    }
    checkPaused();
    OptionalLong rollback = deployment.rollback();
    if (!deployment.paused() && rollback.isPresent()) {
      goBack(rollback.getAsLong());
    } else if (deployment.paused() || isScaling()) {
      useNewest();
      share();
      if (deployment.paused() && rollback.isEmpty()) {
        removeHistory();
      }
      storeStatus(status());
    } else if (deployment.recreates()) {
      recreate(pods);
    } else {
      roll();
    }
    return deployment;
  }

  /** Goes back to a revision, the one before the newest for 0; the next look rolls it out. */
  private void goBack(long wanted) throws InterruptedException {
    if (!ensureNewest()) {
      return;
    }
    long revision = wanted == 0 ? Revisions.last(all()) : wanted;
    ReplicaSetFacts target =
        all().stream()
            .filter(set -> Revisions.of(set.annotations()) == revision)
            .findFirst()
            .orElse(null);
    if (revision == 0) {
      deployment = actions.stay(deployment, "Unable to find last revision.");
    } else if (target == null) {
      deployment = actions.stay(deployment, "Unable to find the revision to rollback to.");
    } else {
      deployment = actions.goBack(deployment, target, revision);
    }
  }

  private List<ReplicaSetFacts> all() {
    List<ReplicaSetFacts> all = new ArrayList<>(old);
    ReplicaSetFacts current = newest;
    if (current != null) {
      all.add(current);
    }
    return all;
  }

  private void checkPaused() throws InterruptedException {
    if (!deployment.hasProgressDeadline()
        || Conditions.hasReason(
            deployment.status(), Conditions.PROGRESSING, Conditions.TIMED_OUT)) {
      return;
    }
    boolean told =
        Conditions.hasReason(deployment.status(), Conditions.PROGRESSING, Conditions.PAUSED);
    if (deployment.paused() && !told) {
      progressing("Unknown", Conditions.PAUSED, "Deployment is paused");
    } else if (!deployment.paused() && told) {
      progressing("Unknown", Conditions.RESUMED, "Deployment is resumed");
    }
  }

  private void progressing(String status, String reason, String message)
      throws InterruptedException {
    MapNode condition = Conditions.of(Conditions.PROGRESSING, status, now, reason, message);
    storeStatus(Conditions.set(deployment.status(), condition));
  }

  /** Whether the Deployment's size has changed since its ReplicaSets got theirs. */
  private boolean isScaling() {
    for (ReplicaSetFacts set : Scaling.active(all())) {
      long desired = Revisions.count(set, Revisions.DESIRED);
      if (desired >= 0 && desired != deployment.replicas()) {
        return true;
      }
    }
    return false;
  }

  /** Brings revision and annotations of the newest ReplicaSet and the Deployment up to date. */
  private void useNewest() throws InterruptedException {
    ReplicaSetFacts current = newest;
    if (current == null) {
      return;
    }
    long revision = Revisions.highest(old) + 1;
    ReplicaSetFacts fresh = actions.refresh(deployment, current, revision);
    newest = fresh;
    String shown = fresh.annotations().getOrDefault(Revisions.REVISION, "");
    MapNode status = deployment.status();
    if (deployment.hasProgressDeadline()
        && Conditions.find(status, Conditions.PROGRESSING) == null) {
      status =
          Conditions.set(
              status,
              Conditions.of(
                  Conditions.PROGRESSING,
                  "True",
                  now,
                  Conditions.FOUND_SET,
                  "Found new replica set \"" + fresh.name().name() + "\""));
    }
    storeRevision(shown, status);
  }

  private void storeRevision(String revision, MapNode status) throws InterruptedException {
    boolean same = revision.equals(deployment.annotations().get(Revisions.REVISION));
    if (!same || !status.equals(deployment.status())) {
      Deployment marked =
          same ? deployment : deployment.withAnnotation(Revisions.REVISION, revision);
      deployment = actions.storeStatus(marked, status);
    }
  }

  /** Finds or creates the ReplicaSet of the template; false if its name is that of another one. */
  private boolean ensureNewest() throws InterruptedException {
    if (newest != null) {
      useNewest();
      return true;
    }
    long revision = Revisions.highest(old) + 1;
    int size = Scaling.ofNew(deployment, old, 0);
    ReplicaSetFacts created;
    try {
      created = actions.create(deployment, revision, size);
    } catch (HashCollision e) {
      storeStatus(
          deployment.status().with("collisionCount", new Node.Int(deployment.collisions() + 1)));
      return false;
    }
    newest = created;
    MapNode status = deployment.status();
    if (deployment.hasProgressDeadline()) {
      status =
          Conditions.set(
              status,
              Conditions.of(
                  Conditions.PROGRESSING,
                  "True",
                  now,
                  Conditions.NEW_SET,
                  "Created new replica set \"" + created.name().name() + "\""));
    }
    storeRevision(Long.toString(revision), status);
    return true;
  }

  private ReplicaSetFacts current() {
    ReplicaSetFacts current = newest;
    if (current == null) {
      throw new IllegalStateException("the ReplicaSet of the template does not exist");
    }
    return current;
  }

  private void roll() throws InterruptedException {
    if (!ensureNewest()) {
      return;
    }
    if (!resizeNewest() && !shrinkOld() && deployment.isComplete(deployment.status())) {
      removeHistory();
    }
    storeStatus(Progress.of(deployment, status(), failure(), subject(), now));
  }

  private boolean resizeNewest() throws InterruptedException {
    ReplicaSetFacts current = current();
    int size =
        current.replicas() > deployment.replicas()
            ? deployment.replicas()
            : Scaling.ofNew(deployment, all(), current.replicas());
    if (current.replicas() == deployment.replicas() || size == current.replicas()) {
      return false;
    }
    newest = actions.scale(deployment, current, size);
    return true;
  }

  private boolean shrinkOld() throws InterruptedException {
    if (Scaling.total(old) == 0 || !Scaling.observed(all())) {
      return false;
    }
    ReplicaSetFacts current = current();
    int unavailable = current.replicas() - Scaling.available(current);
    long most = Scaling.total(all()) - deployment.minAvailable() - unavailable;
    if (most <= 0) {
      return false;
    }
    long removed = removeUnhealthy(most);
    long spare = Scaling.available(all()) - deployment.minAvailable();
    return removeAvailable(spare) + removed > 0;
  }

  /** Removes pods of old ReplicaSets that do not serve anyway. */
  private long removeUnhealthy(long most) throws InterruptedException {
    long removed = 0;
    for (int i = 0; i < old.size() && removed < most; i++) {
      ReplicaSetFacts set = old.get(i);
      int unhealthy = set.replicas() - Scaling.available(set);
      if (set.replicas() > 0 && unhealthy > 0) {
        int count = (int) Math.min(most - removed, unhealthy);
        old.set(i, actions.scale(deployment, set, set.replicas() - count));
        removed += count;
      }
    }
    return removed;
  }

  private long removeAvailable(long most) throws InterruptedException {
    long removed = 0;
    for (int i = 0; i < old.size() && removed < most; i++) {
      ReplicaSetFacts set = old.get(i);
      if (set.replicas() > 0) {
        int count = (int) Math.min(most - removed, set.replicas());
        old.set(i, actions.scale(deployment, set, set.replicas() - count));
        removed += count;
      }
    }
    return removed;
  }

  private void recreate(Function<ReplicaSetFacts, List<PodFacts>> pods)
      throws InterruptedException {
    useNewest();
    boolean shrunk = removeAvailable(Scaling.total(old)) > 0;
    if (!shrunk && Scaling.told(old, "replicas") == 0 && !isRunning(pods)) {
      if (!ensureNewest()) {
        return;
      }
      newest = actions.scale(deployment, current(), deployment.replicas());
      if (deployment.isComplete(deployment.status())) {
        removeHistory();
      }
    }
    storeStatus(Progress.of(deployment, status(), failure(), subject(), now));
  }

  /** Whether an old pod has not ended yet. */
  private boolean isRunning(Function<ReplicaSetFacts, List<PodFacts>> pods) {
    return old.stream().anyMatch(set -> pods.apply(set).stream().anyMatch(pod -> !pod.ended()));
  }

  /** Follows the Deployment's size while nothing is rolled out, or in the middle of a rollout. */
  private void share() throws InterruptedException {
    ReplicaSetFacts current = newest;
    List<ReplicaSetFacts> active = Scaling.active(all());
    if (active.size() <= 1) {
      ReplicaSetFacts only =
          !active.isEmpty()
              ? active.getFirst()
              : current != null ? current : old.isEmpty() ? null : old.getLast();
      if (only != null && only.replicas() != deployment.replicas()) {
        replace(only, actions.scale(deployment, only, deployment.replicas()));
      }
      return;
    }
    if (current != null && isSaturated(current)) {
      for (ReplicaSetFacts set : Scaling.active(List.copyOf(old))) {
        replace(set, actions.scale(deployment, set, 0));
      }
      return;
    }
    if (!deployment.recreates()) {
      for (Map.Entry<ReplicaSetFacts, Integer> size :
          Scaling.proportional(deployment, active).entrySet()) {
        replace(size.getKey(), actions.scale(deployment, size.getKey(), size.getValue()));
      }
    }
  }

  private void replace(ReplicaSetFacts before, ReplicaSetFacts after) {
    if (before == newest) {
      newest = after;
    } else {
      old.replaceAll(set -> set == before ? after : set);
    }
  }

  private boolean isSaturated(ReplicaSetFacts set) {
    int wanted = deployment.replicas();
    return Revisions.count(set, Revisions.DESIRED) == wanted
        && set.replicas() == wanted
        && set.told("availableReplicas") == wanted;
  }

  private void removeHistory() throws InterruptedException {
    List<ReplicaSetFacts> kept =
        old.stream()
            .filter(set -> !set.deleting())
            .sorted(
                Comparator.<ReplicaSetFacts>comparingLong(set -> Revisions.of(set.annotations()))
                    .thenComparing(ReplicaSetFacts::created))
            .toList();
    int surplus = kept.size() - deployment.revisionHistoryLimit();
    for (int i = 0; i < surplus; i++) {
      ReplicaSetFacts set = kept.get(i);
      if (set.replicas() == 0 && set.told("replicas") == 0 && set.observed()) {
        actions.delete(set);
      }
    }
  }

  /** The status that the ReplicaSets make. */
  private MapNode status() {
    List<ReplicaSetFacts> all = all();
    ReplicaSetFacts current = newest;
    int available = Scaling.told(all, "availableReplicas");
    MapNode before = deployment.status();
    MapNode.Builder status = MapNode.builder(9);
    status.put("observedGeneration", new Node.Int(deployment.object().meta().generation()));
    put(status, "replicas", Scaling.told(all, "replicas"));
    put(status, "updatedReplicas", current == null ? 0 : current.told("replicas"));
    put(status, "readyReplicas", Scaling.told(all, "readyReplicas"));
    put(status, "availableReplicas", available);
    put(
        status,
        "unavailableReplicas",
        Math.clamp(Scaling.total(all) - available, 0, Integer.MAX_VALUE));
    if (all.stream().allMatch(set -> set.status().has("terminatingReplicas"))) {
      status.put("terminatingReplicas", new Node.Int(Scaling.told(all, "terminatingReplicas")));
    }
    for (String kept : List.of("conditions", "collisionCount")) {
      Node value = before.get(kept);
      if (value != null) {
        status.put(kept, value);
      }
    }
    boolean enough = available >= deployment.minAvailable();
    return Conditions.set(
        status.build(),
        enough
            ? Conditions.of(
                Conditions.AVAILABLE,
                "True",
                now,
                Conditions.MINIMUM_AVAILABLE,
                "Deployment has minimum availability.")
            : Conditions.of(
                Conditions.AVAILABLE,
                "False",
                now,
                Conditions.MINIMUM_UNAVAILABLE,
                "Deployment does not have minimum availability."));
  }

  private static void put(MapNode.Builder status, String key, int value) {
    if (value != 0) {
      status.put(key, new Node.Int(value));
    }
  }

  private void storeStatus(MapNode status) throws InterruptedException {
    if (!status.equals(deployment.status())) {
      deployment = actions.storeStatus(deployment, status);
    }
  }

  /** The subject of messages about the progress. */
  private String subject() {
    ReplicaSetFacts current = newest;
    return current == null
        ? "Deployment \"" + deployment.name().name() + "\""
        : "ReplicaSet \"" + current.name().name() + "\"";
  }

  /** The failure of a ReplicaSet to create or delete pods; null if none has one. */
  private @Nullable MapNode failure() {
    ReplicaSetFacts current = newest;
    List<ReplicaSetFacts> order = new ArrayList<>(old);
    if (current != null) {
      order.addFirst(current);
    }
    for (ReplicaSetFacts set : order) {
      MapNode condition = Conditions.find(set.status(), Conditions.REPLICA_FAILURE);
      if (condition != null) {
        Node since = condition.get("lastTransitionTime");
        return since == null ? condition : condition.with("lastUpdateTime", since);
      }
    }
    return null;
  }
}
