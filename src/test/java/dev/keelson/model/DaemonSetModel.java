package dev.keelson.model;

import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A DaemonSet and the nodes. A node has never two pods that run, and of the nodes that were there
 * since the last settled state at most one has no available pod, but for those that were broken.
 */
final class DaemonSetModel implements WorkloadModel {

  private static final int MOST_NODES = 6;

  private final User user;
  private final Violations violations;
  private final String name;

  // guarded by this object, as are the fields below
  private final Map<String, ApiObject> pods = new HashMap<>();
  private final Set<String> nodes = new TreeSet<>();

  /** The nodes that were there all the time since the last settled state. */
  private final Set<String> steady = new TreeSet<>();

  private int template;
  private int nextNode;
  private int disturbances;

  DaemonSetModel(User user, Violations violations, String name) {
    this.user = user;
    this.violations = violations;
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void begin() throws InterruptedException {
    for (int i = 0; i < 3; i++) {
      String unused = addNode();
    }
    user.create(
        User.DAEMON_SETS,
        "DaemonSet",
        ("{'metadata':{'name':'%1$s','namespace':'default'},'spec':{"
                + "'revisionHistoryLimit':2,'selector':{'matchLabels':{'app':'%1$s'}},"
                + "'template':{'metadata':{'labels':{'app':'%1$s'}},'spec':{"
                + "'nodeSelector':{'pool':'daemons'},'tolerations':[{'operator':'Exists'}],'containers':[{"
                + "'name':'main','image':'image:0'}]}}}}")
            .formatted(name));
  }

  @Override
  public String change(RandomGenerator random) throws InterruptedException {
    int choice = random.nextInt(6);
    if (choice == 0 && nodes.size() < MOST_NODES) {
      return addNode();
    }
    return choice == 1 && nodes.size() > 1
        ? removeNode(nodes.stream().skip(random.nextInt(nodes.size())).findFirst().orElseThrow())
        : image(random.nextInt(4) == 0 ? Math.max(0, template - 1) : template + 1);
  }

  private String addNode() throws InterruptedException {
    String node = "node-" + nextNode++;
    synchronized (this) {
      nodes.add(node);
    }
    user.create(
        User.NODES,
        "Node",
        "{'metadata':{'name':'%s','labels':{'pool':'daemons'}}}".formatted(node));
    return "new " + node;
  }

  private String removeNode(String node) throws InterruptedException {
    synchronized (this) {
      nodes.remove(node);
      steady.remove(node);
    }
    user.client().delete(User.NODES, "", node, new DeleteRequest("", "", Dependents.DEFAULT));
    return "no " + node;
  }

  private String image(int next) throws InterruptedException {
    template = next;
    user.patch(
        User.DAEMON_SETS,
        name,
        "{'spec':{'template':{'spec':{'containers':[{'name':'main','image':'image:%d'}]}}}}"
            .formatted(next));
    return "image:" + next;
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
      String node = PodStates.wantedNode(after);
      long there =
          pods.values().stream()
              .filter(pod -> PodStates.active(pod) && PodStates.wantedNode(pod).equals(node))
              .count();
      violations.check(there <= 1, "%s: %d pods on %s", name, there, node);
    } else if (before != null && PodStates.ready(before) && disturbances == 0) {
      Set<String> served = served();
      long without = steady.stream().filter(node -> !served.contains(node)).count();
      violations.check(
          without <= 1, "%s: %d nodes without a pod: %s of %s", name, without, served, steady);
    }
  }

  private Set<String> served() {
    return pods.values().stream()
        .filter(PodStates::ready)
        .map(PodStates::wantedNode)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Override
  public synchronized void disturbed() {
    disturbances++;
  }

  @Override
  public Optional<String> unsettled() throws InterruptedException {
    ApiObject set = user.get(User.DAEMON_SETS, name).orElseThrow();
    MapNode status = set.root().map("status");
    Set<String> served;
    long active;
    synchronized (this) {
      served = served();
      active = pods.values().stream().filter(PodStates::active).count();
    }
    int wanted = nodes.size();
    boolean reached =
        User.number(status, "observedGeneration") == set.meta().generation()
            && User.number(status, "desiredNumberScheduled") == wanted
            && User.number(status, "updatedNumberScheduled") == wanted
            && User.number(status, "numberAvailable") == wanted
            && active == wanted
            && served.equals(nodes);
    return reached
        ? Optional.empty()
        : Optional.of("%s on %s, wanted %s, status %s".formatted(name, served, nodes, status));
  }

  @Override
  public synchronized void settled() {
    steady.clear();
    steady.addAll(nodes);
    disturbances = 0;
  }
}
