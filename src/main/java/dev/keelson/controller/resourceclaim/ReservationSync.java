package dev.keelson.controller.resourceclaim;

import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.ControllerLoop.Outcome;
import dev.keelson.controller.workload.Owner;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends the reservations of a claim for pods that have ended; a claim without any loses its
 * allocation and its finalizer, and is deleted if it was made for a pod that has ended.
 */
final class ReservationSync {

  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");
  private static final String FINALIZER = "resource.kubernetes.io/delete-protection";

  private final ApiClient client;

  ReservationSync(ApiClient client) {
    this.client = client;
  }

  Outcome sync(ObjectName name) throws InterruptedException {
    ApiObject claim =
        client.get(ResourceClaimFacts.RESOURCE, name.namespace(), name.name()).orElse(null);
    if (claim == null) {
      return Outcome.DONE;
    }
    List<Node> all = claim.root().map("status").items("reservedFor");
    List<Node> valid = new ArrayList<>();
    for (MapNode consumer : Node.maps(all)) {
      // who has reserved it for something else than a pod ends that as well
      boolean ofPod =
          consumer.text("apiGroup").isEmpty() && consumer.text("resource").equals("pods");
      if (!ofPod || !isDone(name.namespace(), consumer.text("name"), consumer.text("uid"))) {
        valid.add(consumer);
      }
    }
    boolean held = claim.meta().finalizers().contains(FINALIZER);
    if (valid.size() < all.size()) {
      release(claim, valid, held);
    } else if (held && claim.meta().deleting() && valid.isEmpty()) {
      free(deallocated(claim));
    }
    if (valid.isEmpty()) {
      deleteOfEndedPod(claim);
    }
    return Outcome.DONE;
  }

  private void release(ApiObject claim, List<Node> valid, boolean held)
      throws InterruptedException {
    MapNode status = claim.root().map("status");
    MapNode changed =
        valid.isEmpty()
            ? status.without("reservedFor")
            : status.with("reservedFor", new Node.Items(valid));
    if (valid.isEmpty() && held) {
      changed = changed.without("allocation");
    }
    ApiObject stored =
        client.updateStatus(ResourceClaimFacts.RESOURCE, claim.with("status", changed)).object();
    if (!stored.root().map("status").has("allocation")) {
      free(stored);
    }
  }

  private ApiObject deallocated(ApiObject claim) throws InterruptedException {
    MapNode status = claim.root().map("status");
    return status.has("allocation")
        ? client
            .updateStatus(
                ResourceClaimFacts.RESOURCE, claim.with("status", status.without("allocation")))
            .object()
        : claim;
  }

  private void free(ApiObject claim) throws InterruptedException {
    List<String> finalizers = new ArrayList<>(claim.meta().finalizers());
    if (finalizers.remove(FINALIZER)) {
      Written unused =
          client.update(
              ResourceClaimFacts.RESOURCE,
              claim.withMeta(
                  finalizers.isEmpty()
                      ? claim.meta().without("finalizers")
                      : claim.meta().with("finalizers", Node.texts(finalizers))));
    }
  }

  /** The garbage collector deletes the claims of pods that are gone. */
  private void deleteOfEndedPod(ApiObject claim) throws InterruptedException {
    Owner owner = ResourceClaimFacts.pod(claim);
    if (owner == null || claim.meta().deleting()) {
      return;
    }
    ApiObject pod = client.get(PODS, claim.meta().namespace(), owner.name()).orElse(null);
    if (pod != null && isDone(pod, owner.uid())) {
      client.deleteIfPresent(ResourceClaimFacts.RESOURCE, claim.meta());
    }
  }

  private boolean isDone(String namespace, String name, String uid) throws InterruptedException {
    ApiObject pod = client.get(PODS, namespace, name).orElse(null);
    return pod == null || isDone(pod, uid);
  }

  /** Whether a pod with a uid has ended, was never scheduled and is deleted, or was replaced. */
  private static boolean isDone(ApiObject pod, String uid) {
    String phase = pod.root().map("status").text("phase");
    return !pod.meta().uid().equals(uid)
        || phase.equals("Succeeded")
        || phase.equals("Failed")
        || (pod.meta().deleting() && pod.root().map("spec").text("nodeName").isEmpty());
  }
}
