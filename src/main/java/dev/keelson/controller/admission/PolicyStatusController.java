package dev.keelson.controller.admission;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.ControllerLoop;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.QueueOwner;
import dev.keelson.controller.WorkQueue;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Writes the type-check warnings of ValidatingAdmissionPolicies into their status, once a
 * generation (source: pkg/controller/validatingadmissionpolicystatus). Every server runs it: equal
 * results are stored once.
 */
public final class PolicyStatusController implements QueueOwner, AutoCloseable {

  private static final GroupVersionResource POLICIES =
      new GroupVersion("admissionregistration.k8s.io", "v1")
          .resource("validatingadmissionpolicies");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

  private final ResourceClient client;
  private final UnaryOperator<MapNode> check;
  private final WorkQueue<String> work =
      new WorkQueue<>("validatingadmissionpolicy-status", FIRST_PAUSE, LONGEST_PAUSE);
  private final ControllerLoop worker =
      ControllerLoop.workers("admission-policy-status", 1, work, this::reconcile);

  /**
   * A controller that is not started.
   *
   * @param check the value of {@code status.typeChecking} for a spec
   */
  public PolicyStatusController(ResourceClient client, UnaryOperator<MapNode> check) {
    this.client = client;
    this.check = check;
  }

  /** Starts the worker. */
  public void start() {
    worker.start();
  }

  /** A policy was listed or changed; does not block. */
  public void changed(ApiObject policy) {
    if (isDue(policy)) {
      work.add(policy.meta().name());
    }
  }

  private static boolean isDue(ApiObject policy) {
    Node observed = policy.root().map("status").get("observedGeneration");
    return policy.meta().generation() > (observed instanceof Node.Int(long number) ? number : 0);
  }

  private Outcome reconcile(String name) {
    Optional<ApiObject> unused = client.changeStatus(POLICIES, "", name, this::checked);
    return Outcome.DONE;
  }

  private ApiObject checked(ApiObject policy) {
    if (!isDue(policy)) {
      return policy;
    }
    MapNode status =
        policy
            .root()
            .map("status")
            .with("observedGeneration", new Node.Int(policy.meta().generation()))
            .with("typeChecking", check.apply(policy.root().map("spec")));
    return policy.with("status", status);
  }

  @Override
  public List<WorkQueue<?>> queues() {
    return List.of(work);
  }

  @Override
  public void close() {
    worker.close();
  }
}
