package dev.keelson.controller.workload;

import dev.keelson.api.ApiException;
import dev.keelson.api.LabelSelector;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.Informer;
import dev.keelson.controller.event.ObjectReference;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds the pods of a workload: those that it controls, and those without a controller that its
 * selector matches, which it adopts; pods that no longer match are released (source: Kubernetes'
 * {@code PodControllerRefManager}).
 */
public final class PodClaims {

  private final Informer<PodFacts> pods;
  private final PodControl control;
  private final List<String> finalizers;

  /** Whether a workload may adopt pods. */
  @FunctionalInterface
  public interface Adoption {

    /** Reads the workload from the server: false if it is gone, replaced or being deleted. */
    boolean allowed() throws InterruptedException;
  }

  /**
   * @param pods with the index {@link PodFacts#BY_OWNER}
   */
  public PodClaims(Informer<PodFacts> pods, PodControl control) {
    this(pods, control, List.of());
  }

  /**
   * @param pods with the index {@link PodFacts#BY_OWNER}
   * @param finalizers which adopted pods get and released ones lose
   */
  public PodClaims(Informer<PodFacts> pods, PodControl control, List<String> finalizers) {
    this.pods = pods;
    this.control = control;
    this.finalizers = List.copyOf(finalizers);
  }

  /**
   * Returns the pods of a workload in any state.
   *
   * @param deleting whether the workload is being deleted: then it adopts and releases nothing
   */
  public List<PodFacts> claim(
      ObjectReference workload, LabelSelector selector, boolean deleting, Adoption adoption)
      throws InterruptedException {
    return claim(workload, pod -> selector.matches(pod.labels()), deleting, adoption);
  }

  /**
   * Returns the pods of a workload in any state.
   *
   * @param matches whether a pod is one of the workload
   * @param deleting whether the workload is being deleted: then it adopts and releases nothing
   */
  public List<PodFacts> claim(
      ObjectReference workload, Predicate<PodFacts> matches, boolean deleting, Adoption adoption)
      throws InterruptedException {
    List<PodFacts> claimed = new ArrayList<>();
    for (PodFacts pod : pods.by(PodFacts.BY_OWNER, workload.uid())) {
      if (matches.test(pod)) {
        claimed.add(pod);
      } else if (!deleting) {
        control.release(pod, workload, finalizers);
      }
    }
    if (!deleting) {
      adopt(workload, matches, adoption, claimed);
    }
    return claimed;
  }

  private void adopt(
      ObjectReference workload,
      Predicate<PodFacts> matches,
      Adoption adoption,
      List<PodFacts> claimed)
      throws InterruptedException {
    boolean asked = false;
    String orphans = PodFacts.withoutOwner(workload.namespace());
    for (PodFacts pod : pods.by(PodFacts.BY_OWNER, orphans)) {
      if (pod.deleting() || !matches.test(pod)) {
        continue;
      }
      if (!asked && !adoption.allowed()) {
        return;
      }
      asked = true;
      try {
        claimed.add(control.adopt(pod, workload, finalizers));
      } catch (ApiException e) {
        if (e.reason() != Reason.NOT_FOUND) {
          throw e;
        }
      }
    }
  }
}
