package dev.keelson.scheduler.device;

import dev.keelson.api.ApiException;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.GroupVersionResource;
import dev.keelson.api.Reason;
import dev.keelson.client.informer.ObjectName;
import dev.keelson.client.rest.ApiClient;
import dev.keelson.client.rest.ApiClient.Patch;
import dev.keelson.client.rest.Written;
import dev.keelson.controller.event.ObjectReference;
import dev.keelson.controller.workload.Owner;
import dev.keelson.controller.workload.Times;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes the status of ResourceClaims. */
final class ClaimWrites {

  private static final GroupVersionResource PODS = GroupVersion.CORE_V1.resource("pods");

  /** Keeps a claim from being deleted while it has devices. */
  private static final String FINALIZER = "resource.kubernetes.io/delete-protection";

  /** As client-go's {@code RetryOnConflict}. */
  private static final int ATTEMPTS = 5;

  private final ApiClient client;
  private final InstantSource clock;

  ClaimWrites(ApiClient client, InstantSource clock) {
    this.client = client;
    this.clock = clock;
  }

  /** Stores a claim for the extended resources of a pod, which then owns it. */
  Claim create(Claim claim, ObjectName pod, String podUid) throws InterruptedException {
    MapNode owner =
        Owner.reference(ObjectReference.of("v1", "Pod", pod.namespace(), pod.name(), podUid))
            .without("blockOwnerDeletion");
    MapNode metadata =
        MapNode.builder(4)
            .put("generateName", Node.text(pod.name() + "-extended-resources-"))
            .put("namespace", Node.text(pod.namespace()))
            .put("ownerReferences", new Items(List.of(owner)))
            .put("annotations", MapNode.of(Claim.EXTENDED, Node.text("true")))
            .build();
    List<Node> requests = new ArrayList<>();
    for (Request request : claim.requests()) {
      Request.Choice choice = request.choices().getFirst();
      MapNode exactly =
          MapNode.builder(3)
              .put("deviceClassName", Node.text(choice.deviceClass()))
              .put("allocationMode", Node.text("ExactCount"))
              .put("count", new Node.Int(choice.count()))
              .build();
      requests.add(MapNode.of("name", Node.text(request.name())).with("exactly", exactly));
    }
    MapNode spec = MapNode.of("devices", MapNode.of("requests", new Items(requests)));
    ApiObject object =
        new ApiObject(MapNode.of("metadata", metadata).with("spec", spec))
            .withType(Claim.RESOURCE.apiVersion(), "ResourceClaim");
    return Claim.of(client.create(Claim.RESOURCE, object).object());
  }

  /** Tells a pod which claim has its extended resources. */
  void tell(ObjectName pod, String podUid, Claim claim, List<MapNode> mappings)
      throws InterruptedException {
    MapNode status =
        MapNode.of("requestMappings", new Items(List.copyOf(mappings)))
            .with("resourceClaimName", Node.text(claim.name().name()));
    Written unused =
        client.patch(
            PODS,
            pod.namespace(),
            pod.name(),
            "status",
            Patch.STRATEGIC_MERGE,
            MapNode.of("metadata", MapNode.of("uid", Node.text(podUid)))
                .with("status", MapNode.of("extendedResourceClaimStatus", status)));
  }

  /** Deletes a claim that the scheduler has made; nothing if it is gone. */
  void delete(Claim claim) throws InterruptedException {
    ApiObject stored =
        client.get(Claim.RESOURCE, claim.name().namespace(), claim.name().name()).orElse(null);
    if (stored == null || !stored.meta().uid().equals(claim.uid())) {
      return;
    }
    List<String> finalizers = new ArrayList<>(stored.meta().finalizers());
    if (finalizers.remove(FINALIZER)) {
      ObjectMeta meta =
          finalizers.isEmpty()
              ? stored.meta().without("finalizers")
              : stored.meta().with("finalizers", Node.texts(finalizers));
      stored = client.update(Claim.RESOURCE, stored.withMeta(meta)).object();
    }
    client.deleteIfPresent(Claim.RESOURCE, stored.meta());
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
    MapNode given = status.map("allocation");
    if (!given.has("allocationTimestamp")) {
      Node now = Node.text(Times.text(clock.instant()));
      status = status.with("allocation", given.with("allocationTimestamp", now));
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
