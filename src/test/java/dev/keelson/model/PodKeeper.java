package dev.keelson.model;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.object.ApiObject;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * The kubelets of the model: brings pods to ready, ends those of Jobs, and removes those that are
 * deleted. About half of the pods have a node, so that their deletion takes its time. Pods that
 * were {@link #breakPod broken} stay so until {@link #heal}.
 */
final class PodKeeper implements AutoCloseable {

  static final String READY =
      "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'True',"
          + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}";
  static final String UNREADY =
      "{'status':{'phase':'Running','conditions':[{'type':'Ready','status':'False',"
          + "'lastTransitionTime':'2026-01-01T00:00:00Z'}]}}";
  static final String FAILED = "{'status':{'phase':'Failed','reason':'Broken','conditions':[]}}";
  static final String SUCCEEDED = "{'status':{'phase':'Succeeded','conditions':[]}}";

  /** The node of the pods that are not of a DaemonSet. */
  static final String NODE = "elsewhere";

  private static final Duration LOOK = Duration.ofMillis(50);

  private final User user;
  private final Map<String, ApiObject> pods;
  private final RandomGenerator random;

  /** Uids. */
  private final Set<String> broken = ConcurrentHashMap.newKeySet();

  /** The uids of pods that were removed. Confined to the loop. */
  private final Set<String> deleted = new HashSet<>();

  private final ControllerLoop loop = ControllerLoop.every("pod-keeper", LOOK, this::look);

  /**
   * @param pods by name, kept up to date by a watch
   */
  PodKeeper(User user, Map<String, ApiObject> pods, RandomGenerator random) {
    this.user = user;
    this.pods = pods;
    this.random = random;
  }

  void start() {
    loop.start();
  }

  /** Tells that a pod has changed. */
  void wake() {
    loop.signal();
  }

  /** Leaves a pod as it is from now on, unless it is deleted. */
  void breakPod(ApiObject pod) {
    broken.add(pod.meta().uid());
  }

  void heal() {
    broken.clear();
    loop.signal();
  }

  private void look() throws InterruptedException {
    for (ApiObject pod : pods.values()) {
      try {
        keep(pod);
      } catch (ApiException e) {
        // the server is down or ends; the next look comes soon
        if (e.reason() != Reason.SERVICE_UNAVAILABLE && e.reason() != Reason.INTERNAL_ERROR) {
          throw e;
        }
      }
    }
  }

  private void keep(ApiObject pod) throws InterruptedException {
    String uid = pod.meta().uid();
    boolean bound = !pod.root().map("spec").text("nodeName").isEmpty();
    if (pod.meta().deleting()) {
      once(uid, () -> user.delete(pod, new DeleteRequest(uid, "", Dependents.DEFAULT, 0L)));
    } else if (PodStates.ended(pod) || broken.contains(uid)) {
      // stays as it is
      return;
    } else if (!bound && !PodStates.wantedNode(pod).isEmpty()) {
      user.bind(pod, PodStates.wantedNode(pod));
    } else if (!bound && (uid.hashCode() & 1) == 0) {
      user.bind(pod, NODE);
    } else if (!PodStates.ready(pod)) {
      user.status(pod, READY);
    } else if (PodStates.app(pod).startsWith("job")) {
      user.status(pod, fails(pod) ? FAILED : SUCCEEDED);
    }
  }

  private void once(String uid, User.Call call) throws InterruptedException {
    if (!deleted.contains(uid)) {
      call.run();
      deleted.add(uid);
    }
  }

  /** The template says of how many pods of a Job one fails. */
  private boolean fails(ApiObject pod) {
    int oneOf = Integer.parseInt(pod.meta().annotations().getOrDefault("fails", "0"));
    return oneOf > 0 && random.nextInt(oneOf) == 0;
  }

  @Override
  public void close() {
    loop.close();
  }
}
