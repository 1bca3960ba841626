package dev.keelson.model;

import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.election.LeaderElector;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.client.rest.ApiTransport;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Random steps over all models at once: bursts of changes and faults, after each of which the
 * controllers must bring everything to its end. What is random comes from a seed, but for the
 * threads of the controllers.
 */
public final class WorkloadRun implements AutoCloseable {

  private static final int LONGEST_BURST = 12;
  private static final Duration SETTLING = Duration.ofSeconds(90);
  private static final int STEPS_IN_ERRORS = 40;

  private final Faults faults;
  private final Random random;
  private final User user;
  private final Violations violations = new Violations();
  private final LeaderLog leaders = new LeaderLog(violations);
  private final Map<String, ApiObject> pods = new ConcurrentHashMap<>();
  private final List<WorkloadModel> models;
  private final PodKeeper keeper;
  private final Semaphore events = new Semaphore(0);
  private final List<ControllerLoop> loops = new ArrayList<>();
  private final Deque<String> recent = new ArrayDeque<>();
  private int restarts;

  /** What can happen to the servers and candidates. */
  public interface Faults {

    /** Ends the leader in some way, so that another takes over, and starts a candidate. */
    String changeLeader(Random random) throws InterruptedException;

    /** Ends the server as if it was killed, and starts it again on its data. */
    void restartServer() throws InterruptedException;
  }

  /**
   * @param user may do everything
   * @param lease for which the candidates compete
   */
  public WorkloadRun(ApiTransport user, ObjectName lease, Faults faults, long seed) {
    this.faults = faults;
    this.random = new Random(seed);
    this.user = new User(new ApiClient(user));
    this.keeper = new PodKeeper(this.user, pods, new Random(random.nextLong()));
    DeploymentModel rolling = new DeploymentModel(this.user, violations, "rolling", false);
    DeploymentModel quick = new DeploymentModel(this.user, violations, "quick", false);
    DeploymentModel recreated = new DeploymentModel(this.user, violations, "recreated", true);
    models =
        List.of(
            rolling,
            quick,
            recreated,
            new StatefulSetModel(this.user, violations, "ordered", false),
            new StatefulSetModel(this.user, violations, "parallel", true),
            new DaemonSetModel(this.user, violations, "daemons"),
            new JobModel(this.user, violations, "job-a", new Random(random.nextLong())),
            new JobModel(this.user, violations, "job-b", new Random(random.nextLong())));
    Selection leases =
        new Selection(
            LeaderElector.RESOURCE, lease.namespace(), "", "metadata.name=" + lease.name());
    follow(leases, List.of(leaders));
    follow(Selection.of(User.SETS), List.of(rolling, quick, recreated));
    follow(Selection.of(User.PODS), List.of(new PodChanges()));
  }

  private void follow(Selection selection, List<ObjectListener<ApiObject>> listeners) {
    Informer<ApiObject> informer =
        new Informer<>(user.client(), selection, object -> object, List.of());
    listeners.forEach(informer::listen);
    GroupVersionResource type = selection.resource();
    loops.add(
        ControllerLoop.every("model-" + type.resource(), Duration.ofMillis(1), informer::follow));
  }

  /** Notes the writes of candidates. */
  public LeaderLog leaders() {
    return leaders;
  }

  private final class PodChanges implements ObjectListener<ApiObject> {

    @Override
    public void added(ObjectName name, ApiObject pod) {
      pods.put(name.name(), pod);
      changed(null, pod);
    }

    @Override
    public void updated(ObjectName name, ApiObject before, ApiObject after) {
      pods.put(name.name(), after);
      if (before.meta().uid().equals(after.meta().uid())) {
        changed(before, after);
      } else {
        changed(before, null);
        changed(null, after);
      }
    }

    @Override
    public void deleted(ObjectName name, ApiObject last) {
      ApiObject unused = pods.remove(name.name());
      changed(last, null);
    }

    private void changed(@Nullable ApiObject before, @Nullable ApiObject after) {
      ApiObject pod = after == null ? before : after;
      if (pod != null) {
        String app = PodStates.app(pod);
        models.stream()
            .filter(model -> model.name().equals(app))
            .forEach(model -> model.podChanged(before, after));
      }
      keeper.wake();
      events.release();
    }
  }

  /**
   * Runs at least so many steps.
   *
   * @throws AssertionError if a rule was broken, with the steps before
   */
  public void run(int steps) throws InterruptedException {
    loops.forEach(ControllerLoop::start);
    keeper.start();
    user.create(User.NODES, "Node", "{'metadata':{'name':'" + PodKeeper.NODE + "'}}");
    for (WorkloadModel model : models) {
      model.begin();
    }
    settle();
    for (int done = 0; done < steps; ) {
      int burst = 1 + random.nextInt(LONGEST_BURST);
      for (int i = 0; i < burst; i++) {
        step();
      }
      done += burst;
      settle();
    }
  }

  private void step() throws InterruptedException {
    int choice = random.nextInt(100);
    if (choice < 3) {
      note("leader: " + faults.changeLeader(random));
    } else if (choice < 5) {
      note("server restarts");
      restarts++;
      faults.restartServer();
    } else if (choice < 35) {
      disturb();
    } else {
      WorkloadModel model = models.get(random.nextInt(models.size()));
      note(model.name() + ": " + model.change(random));
    }
    pause(random.nextInt(40));
  }

  /** Breaks or deletes a pod, as a user or a node does. */
  private void disturb() throws InterruptedException {
    List<ApiObject> running = pods.values().stream().filter(PodStates::active).toList();
    if (running.isEmpty()) {
      return;
    }
    ApiObject pod = running.get(random.nextInt(running.size()));
    String app = PodStates.app(pod);
    models.stream().filter(model -> model.name().equals(app)).forEach(WorkloadModel::disturbed);
    int choice = random.nextInt(3);
    note(pod.meta().name() + (choice == 0 ? " deleted" : choice == 1 ? " failed" : " not ready"));
    if (choice == 0) {
      user.delete(pod, new DeleteRequest(pod.meta().uid(), "", Dependents.DEFAULT));
    } else {
      keeper.breakPod(pod);
      user.status(pod, choice == 1 ? PodKeeper.FAILED : PodKeeper.UNREADY);
    }
  }

  private void note(String step) {
    recent.add(step);
    if (recent.size() > STEPS_IN_ERRORS) {
      recent.removeFirst();
    }
  }

  /** Lets some events pass, up to a time in milliseconds. */
  private void pause(int millis) throws InterruptedException {
    int unused = events.drainPermits();
    boolean unused2 = events.tryAcquire(1 + random.nextInt(3), millis, TimeUnit.MILLISECONDS);
  }

  private void settle() throws InterruptedException {
    keeper.heal();
    long end = System.nanoTime() + SETTLING.toNanos();
    Optional<String> open = unsettled();
    while (open.isPresent()) {
      if (System.nanoTime() - end > 0) {
        throw failure("not settled after " + SETTLING + ": " + open.get());
      }
      int unused = events.drainPermits();
      boolean unused2 = events.tryAcquire(20, TimeUnit.MILLISECONDS);
      open = unsettled();
    }
    leaders.settled();
    for (WorkloadModel model : models) {
      model.settled();
    }
    if (!violations.found().isEmpty()) {
      throw failure(String.join("\n", violations.found()));
    }
    sweep();
    note("-- settled");
  }

  private Optional<String> unsettled() throws InterruptedException {
    for (WorkloadModel model : models) {
      Optional<String> open = model.unsettled();
      if (open.isPresent()) {
        return open;
      }
    }
    return Optional.empty();
  }

  /** Removes the failed pods that ReplicaSets leave. */
  private void sweep() throws InterruptedException {
    for (ApiObject pod : pods.values()) {
      if (PodStates.phase(pod).equals("Failed") && !PodStates.app(pod).startsWith("job")) {
        user.delete(pod, new DeleteRequest(pod.meta().uid(), "", Dependents.DEFAULT, 0L));
      }
    }
  }

  private AssertionError failure(String what) {
    return new AssertionError(what + "\nafter:\n  " + String.join("\n  ", recent));
  }

  /** What the run has seen, for the log of the test. */
  public String summary() {
    return "%d terms of leaders, %d of their writes checked, %d restarts of the server"
        .formatted(leaders.terms(), leaders.checked(), restarts);
  }

  @Override
  public void close() {
    keeper.close();
    loops.forEach(ControllerLoop::close);
  }
}
