package dev.keelson.scheduler.device;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes the status of ResourceClaims. */
final class ClaimWrites {

  /** Keeps a claim from being deleted while it has devices. */
  private static final String FINALIZER = "resource.kubernetes.io/delete-protection";

  /** As client-go's {@code RetryOnConflict}. */
  private static final int ATTEMPTS = 5;

  private final ApiClient client;

  ClaimWrites(ApiClient client) {
    this.client = client;
  }

  /**
   * Reserves a claim for a pod.
   *
   * @param allocation its devices; empty if it has them already
   */
  Claim reserve(Claim claim, ObjectName pod, String podUid, Optional<MapNode> allocation)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      try {
        return Claim.of(tryReserve(stored(claim), pod, podUid, allocation));
      } catch (ApiException e) {
        if (e.reason() != Reason.CONFLICT || attempt == ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  private ApiObject stored(Claim claim) throws InterruptedException {
    ObjectName name = claim.name();
    ApiObject stored = client.get(Claim.RESOURCE, name.namespace(), name.name()).orElse(null);
    if (stored == null || !stored.meta().uid().equals(claim.uid()) || stored.meta().deleting()) {
      throw new ApiException(
          Reason.NOT_FOUND, "claim " + name.name() + " got deleted in the meantime");
    }
    return stored;
  }

  private ApiObject tryReserve(
      ApiObject stored, ObjectName pod, String podUid, Optional<MapNode> allocation)
      throws InterruptedException {
    ApiObject claim = stored;
    MapNode status = claim.root().map("status");
    if (allocation.isPresent()) {
      if (status.has("allocation")) {
        throw new ApiException(
            Reason.ALREADY_EXISTS,
            "claim " + claim.meta().name() + " got allocated elsewhere in the meantime");
      }
      if (!claim.meta().finalizers().contains(FINALIZER)) {
        List<String> finalizers = new ArrayList<>(claim.meta().finalizers());
        finalizers.add(FINALIZER);
        claim =
            client
                .update(
                    Claim.RESOURCE,
                    claim.withMeta(claim.meta().with("finalizers", Node.texts(finalizers))))
                .object();
        status = claim.root().map("status");
      }
      status = status.with("allocation", allocation.get());
    }
    return client
        .updateStatus(Claim.RESOURCE, claim.with("status", withConsumer(status, pod, podUid)))
        .object();
  }

  private static MapNode withConsumer(MapNode status, ObjectName pod, String podUid) {
    List<Node> consumers = new ArrayList<>(status.items("reservedFor"));
    if (Node.maps(consumers).stream().anyMatch(each -> each.text("uid").equals(podUid))) {
      return status;
    }
    consumers.add(
        MapNode.builder(3)
            .put("resource", Node.text("pods"))
            .put("name", Node.text(pod.name()))
            .put("uid", Node.text(podUid))
            .build());
    return status.with("reservedFor", new Items(consumers));
  }

  /** Ends the reservation of a pod. */
  void unreserve(Claim claim, String podUid) throws InterruptedException {
    MapNode consumer = MapNode.of("$patch", Node.text("delete")).with("uid", Node.text(podUid));
    MapNode patch =
        MapNode.of("metadata", MapNode.of("uid", Node.text(claim.uid())))
            .with("status", MapNode.of("reservedFor", new Items(List.of(consumer))));
    Written unused =
        client.patch(
            Claim.RESOURCE,
            claim.name().namespace(),
            claim.name().name(),
            "status",
            Patch.STRATEGIC_MERGE,
            patch);
  }

  /** Takes the devices of a claim away, which nobody uses. */
  void deallocate(Claim claim) throws InterruptedException {
    ApiObject stored = stored(claim);
    if (!stored.meta().resourceVersion().equals(Long.toString(claim.version()))) {
      // it is looked at again when the informer has it
      return;
    }
    MapNode status =
        stored.root().map("status").without("reservedFor").without("allocation").without("devices");
    Written unused = client.updateStatus(Claim.RESOURCE, stored.with("status", status));
  }
}
