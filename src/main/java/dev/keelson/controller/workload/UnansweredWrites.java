package dev.keelson.controller.workload;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Selection;
import dev.keelson.object.ApiObject;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The workloads with pods that were created or deleted without an answer: the write may be done,
 * and the informer may not have told it. Until it has, the number of pods is not known, and neither
 * a pod is created nor one deleted. Kubernetes counts such a pod as not created, and may have one
 * too many for a moment. Safe for use by several threads.
 */
public final class UnansweredWrites {

  /** The errors that do not say whether the write was done. */
  private static final Set<Reason> OPEN =
      Set.of(
          Reason.SERVICE_UNAVAILABLE,
          Reason.SERVER_TIMEOUT,
          Reason.TIMEOUT,
          Reason.INTERNAL_ERROR,
          Reason.UNKNOWN);

  private final ApiClient client;
  private final Informer<PodFacts> pods;
  private final Set<ObjectName> workloads = ConcurrentHashMap.newKeySet();

  /**
   * No such writes.
   *
   * @param client may list pods
   */
  public UnansweredWrites(ApiClient client, Informer<PodFacts> pods) {
    this.client = client;
    this.pods = pods;
  }

  /** Notes the errors of writes of a workload's pods. */
  public void note(ObjectName workload, Collection<ApiException> errors) {
    if (errors.stream().anyMatch(error -> OPEN.contains(error.reason()))) {
      workloads.add(workload);
    }
  }

  /** Whether the pods of a workload are not known at present; it is to be looked at again. */
  public boolean open(ObjectName workload) {
    return workloads.contains(workload);
  }

  /**
   * Whether the informer knows the pods of a workload as they are stored; asks the server if there
   * was a write without an answer.
   *
   * @param uid of the workload
   */
  public boolean told(ObjectName workload, String uid) throws InterruptedException {
    if (!open(workload)) {
      return true;
    }
    Map<String, Boolean> stored = new HashMap<>();
    for (ApiObject pod :
        client.list(new Selection(PodControl.PODS, workload.namespace(), "", ""))) {
      Owner owner = Owner.of(pod.meta());
      if (owner != null && owner.uid().equals(uid)) {
        stored.put(pod.meta().uid(), pod.meta().deleting());
      }
    }
    Map<String, Boolean> known = new HashMap<>();
    pods.by(PodFacts.BY_OWNER, uid).forEach(pod -> known.put(pod.uid(), pod.deleting()));
    boolean same = known.equals(stored);
    if (same) {
      workloads.remove(workload);
    }
    return same;
  }

  /** Forgets a workload that was deleted. */
  public void forget(ObjectName workload) {
    workloads.remove(workload);
  }
}
