package dev.keelson.model;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A Job, and another when it has ended. Pods that run and those that have succeeded are never more
 * than the completions, no more run than the parallelism, each pod that has failed is counted once,
 * and the completions are exact, in number and in indexes. More failures than the limit, and only
 * those, end the Job as failed.
 */
final class JobModel implements WorkloadModel {

  private static final String TRACKED = "batch.kubernetes.io/job-tracking";

  private final User user;
  private final Violations violations;
  private final String name;
  private final RandomGenerator shapes;

  // guarded by this object, as are the fields below
  private final Map<String, ApiObject> pods = new HashMap<>();
  private final Set<String> succeeded = new HashSet<>();
  private final Set<String> failed = new HashSet<>();

  /** Pods that were removed as surplus, which count as neither failed nor succeeded. */
  private final Set<String> released = new HashSet<>();

  private int number;
  private int completions;
  private Bounds parallelism = new Bounds(0);
  private int limit;
  private boolean indexed;
  private boolean suspended;

  JobModel(User user, Violations violations, String name, RandomGenerator shapes) {
    this.user = user;
    this.violations = violations;
    this.name = name;
    this.shapes = shapes;
  }

  @Override
  public String name() {
    return name;
  }

  private String job() {
    return name + "-" + number;
  }

  @Override
  public void begin() throws InterruptedException {
    int oneFails;
    synchronized (this) {
      number++;
      completions = 1 + shapes.nextInt(6);
      parallelism = new Bounds(1 + shapes.nextInt(4));
      indexed = shapes.nextBoolean();
      boolean strict = shapes.nextInt(3) == 0;
      limit = strict ? shapes.nextInt(2) : 1000;
      oneFails = shapes.nextInt(3) == 0 ? 0 : 3 + shapes.nextInt(4);
      suspended = false;
      released.clear();
      pods.clear();
      succeeded.clear();
      failed.clear();
    }
    user.create(
        User.JOBS,
        "Job",
        ("{'metadata':{'name':'%s','namespace':'default'},'spec':{'completions':%d,"
                + "'parallelism':%d,'backoffLimit':%d,'completionMode':'%s','template':{'metadata':{"
                + "'labels':{'app':'%s'},'annotations':{'fails':'%d'}},'spec':{"
                + "'restartPolicy':'Never','containers':[{'name':'main','image':'image:0'}]}}}}")
            .formatted(
                job(),
                completions,
                parallelism.now(),
                limit,
                indexed ? "Indexed" : "NonIndexed",
                name,
                oneFails));
  }

  @Override
  public String change(RandomGenerator random) throws InterruptedException {
    boolean suspends = random.nextInt(3) == 0;
    int next = 1 + random.nextInt(4);
    synchronized (this) {
      if (suspends) {
        suspended = !suspended;
      } else {
        parallelism.set(next);
      }
    }
    user.patch(
        User.JOBS,
        job(),
        suspends
            ? "{'spec':{'suspend':%b}}".formatted(suspended)
            : "{'spec':{'parallelism':%d}}".formatted(next));
    return job() + (suspends ? " suspended " + suspended : " parallelism " + next);
  }

  @Override
  public synchronized void podChanged(@Nullable ApiObject before, @Nullable ApiObject after) {
    ApiObject pod = after == null ? before : after;
    if (pod == null || !job().equals(pod.meta().labels().get("batch.kubernetes.io/job-name"))) {
      return;
    }
    String uid = pod.meta().uid();
    if (PodStates.active(pod) && !pod.meta().finalizers().contains(TRACKED)) {
      released.add(uid);
    }
    if (released.contains(uid)) {
      pods.remove(uid);
      return;
    }
    if (PodStates.phase(pod).equals("Succeeded") && !failed.contains(uid)) {
      succeeded.add(uid);
    } else if (!PodStates.active(pod)) {
      failed.add(uid);
    }
    if (after == null) {
      pods.remove(uid);
      return;
    }
    pods.put(uid, after);
    if (before == null) {
      long active = pods.values().stream().filter(PodStates::active).count();
      violations.check(
          active <= parallelism.most(),
          "%s: %d pods at once of %d",
          job(),
          active,
          parallelism.most());
      violations.check(
          active + succeeded.size() <= completions,
          "%s: %d pods and %d completed of %d",
          job(),
          active,
          succeeded.size(),
          completions);
    }
  }

  @Override
  public void disturbed() {
    // a pod that is broken or deleted is one that has failed
  }

  @Override
  public Optional<String> unsettled() throws InterruptedException {
    if (suspended) {
      synchronized (this) {
        suspended = false;
      }
      user.patch(User.JOBS, job(), "{'spec':{'suspend':false}}");
    }
    MapNode status = status();
    boolean ended = ended(status, "Complete") || ended(status, "Failed");
    long active;
    synchronized (this) {
      active = pods.values().stream().filter(PodStates::active).count();
    }
    return ended && active == 0
        ? Optional.empty()
        : Optional.of("%s has %d pods, status %s".formatted(job(), active, status));
  }

  private MapNode status() throws InterruptedException {
    return user.get(User.JOBS, job()).orElseThrow().root().map("status");
  }

  private static boolean ended(MapNode status, String type) {
    return status.maps("conditions").stream()
        .anyMatch(
            condition ->
                condition.text("type").equals(type) && condition.text("status").equals("True"));
  }

  @Override
  public void settled() throws InterruptedException {
    MapNode status = status();
    synchronized (this) {
      check(status);
    }
    user.client()
        .delete(User.JOBS, User.NAMESPACE, job(), new DeleteRequest("", "", Dependents.BACKGROUND));
    begin();
  }

  private void check(MapNode status) {
    long counted = User.number(status, "failed");
    long done = User.number(status, "succeeded");
    boolean complete = ended(status, "Complete");
    violations.check(
        complete ? done == completions : done < completions,
        "%s: complete %b with %d of %d: %s",
        job(),
        complete,
        done,
        completions,
        status);
    // a Job that fails counts its last pods as failed while they end
    violations.check(
        complete ? done == succeeded.size() : done <= succeeded.size(),
        "%s: %d counted, succeeded %s",
        job(),
        done,
        succeeded);
    violations.check(
        complete ? counted <= limit : counted > limit,
        "%s: complete %b with %d failures of %d: %s",
        job(),
        complete,
        counted,
        limit,
        status);
    violations.check(
        done + counted == succeeded.size() + failed.size(),
        "%s: %d counted, failed %s",
        job(),
        counted,
        failed);
    if (indexed && complete) {
      String all = completions == 1 ? "0" : completions == 2 ? "0,1" : "0-" + (completions - 1);
      violations.check(
          status.text("completedIndexes").equals(all), "%s: indexes %s", job(), status);
    }
    violations.check(
        !status.map("uncountedTerminatedPods").has("failed")
            && !status.map("uncountedTerminatedPods").has("succeeded"),
        "%s: uncounted pods: %s",
        job(),
        status);
  }
}
