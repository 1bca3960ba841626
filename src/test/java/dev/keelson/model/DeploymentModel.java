package dev.keelson.model;

import dev.keelson.client.informer.ObjectListener;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A Deployment. The sizes of its ReplicaSets are never more than replicas and surge together (as
 * Kubernetes' end-to-end tests count them), a ReplicaSet has never more pods than its size, and
 * available pods are never fewer than allowed, but for those that were broken. With the strategy
 * Recreate, no pod of a new template exists beside one of an old template.
 */
final class DeploymentModel implements WorkloadModel, ObjectListener<ApiObject> {

  private static final int MOST_REPLICAS = 6;

  private final User user;
  private final Violations violations;
  private final String name;
  private final boolean recreates;

  // guarded by this object, as are the fields below
  private final Map<String, ApiObject> pods = new HashMap<>();
  private final Map<String, Bounds> sets = new HashMap<>();
  private int surge = 1;
  private int unavailable;
  private int replicas = 3;
  private int template;
  private boolean paused;
  private final Bounds most = new Bounds(replicas + surge);
  private final Bounds enough = new Bounds(replicas - unavailable);
  private int disturbances;
  private int templates;
  private int sizes;
  private int pauses;

  DeploymentModel(User user, Violations violations, String name, boolean recreates) {
    this.user = user;
    this.violations = violations;
    this.name = name;
    this.recreates = recreates;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void begin() throws InterruptedException {
    user.create(
        User.DEPLOYMENTS,
        "Deployment",
        ("{'metadata':{'name':'%1$s','namespace':'default'},'spec':{'replicas':%2$d,"
                + "'revisionHistoryLimit':2,'strategy':%3$s,'selector':{'matchLabels':{'app':'%1$s'}},"
                + "'template':{'metadata':{'labels':{'app':'%1$s'}},'spec':{'containers':[{"
                + "'name':'main','image':'image:0'}]}}}}")
            .formatted(
                name,
                replicas,
                recreates
                    ? "{'type':'Recreate'}"
                    : "{'rollingUpdate':{'maxSurge':%d,'maxUnavailable':%d}}"
                        .formatted(surge, unavailable)));
  }

  @Override
  public String change(RandomGenerator random) throws InterruptedException {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> template(random);
      case 3, 4 -> resize(random);
      case 5 -> strategy(random);
      case 6 -> pause();
      default -> undo();
    };
  }

  private String template(RandomGenerator random) throws InterruptedException {
    return image(random.nextInt(5) == 0 ? Math.max(0, template - 1) : template + 1);
  }

  private String undo() throws InterruptedException {
    return image(Math.max(0, template - 1));
  }

  private String image(int next) throws InterruptedException {
    synchronized (this) {
      template = next;
      templates++;
    }
    user.patch(
        User.DEPLOYMENTS,
        name,
        "{'spec':{'template':{'spec':{'containers':[{'name':'main','image':'image:%d'}]}}}}"
            .formatted(next));
    return "image:" + next;
  }

  private String resize(RandomGenerator random) throws InterruptedException {
    int next = random.nextInt(MOST_REPLICAS + 1);
    synchronized (this) {
      replicas = next;
      sizes++;
      bound();
    }
    user.patch(User.DEPLOYMENTS, name, "{'spec':{'replicas':%d}}".formatted(next));
    return "replicas " + next;
  }

  private String strategy(RandomGenerator random) throws InterruptedException {
    if (recreates) {
      return resize(random);
    }
    int more = random.nextInt(3);
    int fewer = more == 0 ? 1 : random.nextInt(3);
    synchronized (this) {
      surge = more;
      unavailable = fewer;
      bound();
    }
    user.patch(
        User.DEPLOYMENTS,
        name,
        "{'spec':{'strategy':{'rollingUpdate':{'maxSurge':%d,'maxUnavailable':%d}}}}"
            .formatted(more, fewer));
    return "surge %d unavailable %d".formatted(more, fewer);
  }

  private String pause() throws InterruptedException {
    boolean next;
    synchronized (this) {
      paused = !paused;
      pauses++;
      next = paused;
    }
    user.patch(User.DEPLOYMENTS, name, "{'spec':{'paused':%b}}".formatted(next));
    return next ? "paused" : "resumed";
  }

  private void bound() {
    most.set(recreates ? replicas : replicas + surge);
    enough.set(recreates ? 0 : Math.max(0, replicas - unavailable));
  }

  @Override
  public synchronized void podChanged(@Nullable ApiObject before, @Nullable ApiObject after) {
    if (after == null) {
      if (before != null) {
        pods.remove(before.meta().name());
      }
    } else {
      pods.put(after.meta().name(), after);
    }
    if (before == null && after != null) {
      checkNew(after);
    } else if (before != null && PodStates.ready(before)) {
      long available = pods.values().stream().filter(PodStates::ready).count();
      violations.check(
          recreates || available >= enough.least() - disturbances,
          "%s: %d available of at least %d, %d disturbed, after %s",
          name,
          available,
          enough.least(),
          disturbances,
          before.meta().name());
    }
  }

  private void checkNew(ApiObject pod) {
    String set = owner(pod);
    long of =
        pods.values().stream()
            .filter(other -> PodStates.active(other) && owner(other).equals(set))
            .count();
    Bounds size = sets.get(set);
    violations.check(
        size == null || of <= size.most(),
        "%s: ReplicaSet %s has %d pods of %d with %s",
        name,
        set,
        of,
        size == null ? 0 : size.most(),
        pod.meta().name());
    // one that is paused while old pods end is scaled at once, by the ReplicaSet that is there (as
    // in
    // Kubernetes' sync.go, findActiveOrLatest)
    if (recreates && templates <= 1 && sizes == 0 && pauses == 0 && disturbances == 0) {
      pods.values().stream()
          .filter(other -> !PodStates.ended(other))
          .filter(other -> !PodStates.image(other).equals(PodStates.image(pod)))
          .forEach(
              other ->
                  violations.check(
                      false,
                      "%s: %s begins beside %s",
                      name,
                      pod.meta().name(),
                      other.meta().name()));
    }
  }

  private static String owner(ApiObject pod) {
    return pod.meta().node().maps("ownerReferences").stream()
        .map(owner -> owner.text("uid"))
        .findFirst()
        .orElse("");
  }

  @Override
  public void added(ObjectName object, ApiObject set) {
    sized(set);
  }

  @Override
  public void updated(ObjectName object, ApiObject before, ApiObject after) {
    sized(after);
  }

  @Override
  public synchronized void deleted(ObjectName object, ApiObject last) {
    sets.remove(last.meta().uid());
  }

  private synchronized void sized(ApiObject set) {
    if (!PodStates.app(set).equals(name)) {
      return;
    }
    int size = (int) User.number(set.root().map("spec"), "replicas");
    Bounds known = sets.get(set.meta().uid());
    if (known == null) {
      sets.put(set.meta().uid(), new Bounds(size));
    } else if (known.now() == size) {
      return;
    } else {
      known.set(size);
    }
    int sum = sets.values().stream().mapToInt(Bounds::now).sum();
    violations.check(
        recreates || sum <= most.most(),
        "%s: sizes of ReplicaSets are %d, at most %d",
        name,
        sum,
        most.most());
  }

  @Override
  public synchronized void disturbed() {
    disturbances++;
  }

  @Override
  public Optional<String> unsettled() throws InterruptedException {
    if (paused) {
      String unused = pause();
    }
    ApiObject deployment = user.get(User.DEPLOYMENTS, name).orElseThrow();
    MapNode status = deployment.root().map("status");
    long own;
    int sum;
    synchronized (this) {
      own = pods.values().stream().filter(PodStates::ready).count();
      sum = sets.values().stream().mapToInt(Bounds::now).sum();
    }
    boolean reached =
        User.number(status, "observedGeneration") == deployment.meta().generation()
            && User.number(status, "replicas") == replicas
            && User.number(status, "updatedReplicas") == replicas
            && User.number(status, "availableReplicas") == replicas
            && own == replicas
            && sum == replicas;
    return reached
        ? Optional.empty()
        : Optional.of("%s wants %d, has %d, status %s".formatted(name, replicas, own, status));
  }

  @Override
  public synchronized void settled() {
    most.settle();
    enough.settle();
    sets.values().forEach(Bounds::settle);
    disturbances = 0;
    templates = 0;
    sizes = 0;
    pauses = 0;
  }
}
