package dev.keelson.model;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A StatefulSet. No ordinal is beyond the size; of those that every size since the last settled
 * state has, at most one is not available at a time, but for those that were broken; and with the
 * policy OrderedReady a pod begins when all before it are ready. With the policy Parallel each
 * change of the template may take one more: an update begins at the highest ordinal without a look
 * at the pods below it (source: {@code stateful_set_control.go}, with the gate
 * MaxUnavailableStatefulSet off, as it is by default in 1.36).
 */
final class StatefulSetModel implements WorkloadModel {

  private static final int MOST_REPLICAS = 5;

  private final User user;
  private final Violations violations;
  private final String name;
  private final boolean parallel;

  // guarded by this object, as are the fields below
  private final Map<Integer, ApiObject> pods = new HashMap<>();
  private int template;
  private int partition;
  private final Bounds replicas = new Bounds(3);
  private int disturbances;

  /** How often the template was changed since the last settled state. */
  private int templates;

  /** Whether the first pods have been ready once. */
  private boolean begun;

  StatefulSetModel(User user, Violations violations, String name, boolean parallel) {
    this.user = user;
    this.violations = violations;
    this.name = name;
    this.parallel = parallel;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void begin() throws InterruptedException {
    user.create(
        User.STATEFUL_SETS,
        "StatefulSet",
        ("{'metadata':{'name':'%1$s','namespace':'default'},'spec':{'replicas':%2$d,"
                + "'serviceName':'%1$s','podManagementPolicy':'%3$s','revisionHistoryLimit':2,"
                + "'selector':{'matchLabels':{'app':'%1$s'}},"
                + "'template':{'metadata':{'labels':{'app':'%1$s'}},'spec':{'containers':[{"
                + "'name':'main','image':'image:0'}]}}}}")
            .formatted(name, replicas.now(), parallel ? "Parallel" : "OrderedReady"));
  }

  @Override
  public String change(RandomGenerator random) throws InterruptedException {
    return switch (random.nextInt(6)) {
      case 0, 1, 2 -> image(random.nextInt(5) == 0 ? Math.max(0, template - 1) : template + 1);
      case 3, 4 -> resize(random.nextInt(MOST_REPLICAS + 1));
      default -> partition(random.nextInt(3));
    };
  }

  private String image(int next) throws InterruptedException {
    template = next;
    synchronized (this) {
      templates++;
    }
    user.patch(
        User.STATEFUL_SETS,
        name,
        "{'spec':{'template':{'spec':{'containers':[{'name':'main','image':'image:%d'}]}}}}"
            .formatted(next));
    return "image:" + next;
  }

  private String resize(int next) throws InterruptedException {
    synchronized (this) {
      replicas.set(next);
    }
    user.patch(User.STATEFUL_SETS, name, "{'spec':{'replicas':%d}}".formatted(next));
    return "replicas " + next;
  }

  private String partition(int next) throws InterruptedException {
    partition = next;
    user.patch(
        User.STATEFUL_SETS,
        name,
        "{'spec':{'updateStrategy':{'rollingUpdate':{'partition':%d}}}}".formatted(next));
    return "partition " + next;
  }

  private static int ordinal(ApiObject pod) {
    String text = pod.meta().name();
    return Integer.parseInt(text.substring(text.lastIndexOf('-') + 1));
  }

  @Override
  public synchronized void podChanged(@Nullable ApiObject before, @Nullable ApiObject after) {
    if (after == null) {
      if (before != null) {
        pods.remove(ordinal(before));
      }
    } else {
      pods.put(ordinal(after), after);
    }
    if (before == null && after != null) {
      checkNew(after, ordinal(after));
    }
    if (begun && before != null && PodStates.ready(before) && disturbances == 0) {
      int missing = 0;
      for (int i = 0; i < replicas.least(); i++) {
        missing += ready(i) ? 0 : 1;
      }
      int allowed = parallel ? Math.max(1, templates) : 1;
      violations.check(
          missing <= allowed,
          "%s: %d pods are not available, after %s",
          name,
          missing,
          before.meta());
    }
  }

  private boolean ready(int ordinal) {
    ApiObject pod = pods.get(ordinal);
    return pod != null && PodStates.ready(pod);
  }

  private void checkNew(ApiObject pod, int ordinal) {
    violations.check(
        ordinal < replicas.most(),
        "%s: %s begins, size at most %d",
        name,
        pod.meta().name(),
        replicas.most());
    if (!parallel && disturbances == 0) {
      for (int i = 0; i < ordinal; i++) {
        violations.check(ready(i), "%s: %s begins before %d is ready", name, pod.meta().name(), i);
      }
    }
  }

  @Override
  public synchronized void disturbed() {
    disturbances++;
  }

  @Override
  public Optional<String> unsettled() throws InterruptedException {
    if (partition != 0) {
      String unused = partition(0);
    }
    ApiObject set = user.get(User.STATEFUL_SETS, name).orElseThrow();
    MapNode status = set.root().map("status");
    int wanted = replicas.now();
    long own;
    synchronized (this) {
      own = pods.values().stream().filter(PodStates::ready).count();
    }
    boolean reached =
        User.number(status, "observedGeneration") == set.meta().generation()
            && User.number(status, "replicas") == wanted
            && User.number(status, "readyReplicas") == wanted
            && User.number(status, "availableReplicas") == wanted
            && (wanted == 0 || status.text("currentRevision").equals(status.text("updateRevision")))
            && own == wanted;
    return reached
        ? Optional.empty()
        : Optional.of("%s wants %d, has %d, status %s".formatted(name, wanted, own, status));
  }

  @Override
  public synchronized void settled() {
    replicas.settle();
    disturbances = 0;
    templates = 0;
    begun = true;
  }
}
