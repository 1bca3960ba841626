package dev.keelson.controller.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.client.DeleteRequest;
import dev.keelson.client.DeleteRequest.Dependents;
import dev.keelson.client.ResourceClient;
import dev.keelson.controller.service.NetworkChanges.Kind;
import dev.keelson.controller.service.RepairMetrics.Fault;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.IpAddress;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the IPAddresses of a Service agree with its cluster IPs (source: kube-apiserver's
 * ipallocator-repair-controller). Every server runs it: each delete has the uid and the
 * resourceVersion that were read as preconditions, and a create fails if another server was first.
 */
final class AddressRepair {

  /** How long an IPAddress may wait for its Service: the longest time of a request. */
  static final Duration GRACE = Duration.ofSeconds(60);

  private static final String COMPONENT = "ipallocator-repair-controller";
  private static final String ALLOCATION = "ClusterIPAllocation";

  private final ResourceClient client;
  private final NetworkState state;
  private final NetworkEvents events;
  private final RepairMetrics metrics;
  private final InstantSource clock;

  AddressRepair(
      ResourceClient client,
      NetworkState state,
      NetworkEvents events,
      RepairMetrics metrics,
      InstantSource clock) {
    this.client = client;
    this.state = state;
    this.events = events;
    this.metrics = metrics;
    this.clock = clock;
  }

  /** Repairs the addresses of a Service; throws what the client throws. */
  void service(String namespace, String name) {
    Optional<ApiObject> found = client.get(Kind.SERVICES.resource(), namespace, name);
    if (found.isEmpty()) {
      return;
    }
    MapNode spec = found.get().root().map("spec");
    if (spec.text("type").equals("ExternalName") || spec.text("clusterIP").equals("None")) {
      return;
    }
    for (Node item : spec.items("clusterIPs")) {
      if (item instanceof Node.Text text) {
        address(found.get(), text.value());
      }
    }
  }

  private void address(ApiObject service, String text) {
    Optional<IpAddress> parsed = IpAddress.tryParse(text);
    if (parsed.isEmpty()) {
      metrics.address(Fault.INVALID);
      events.warn(
          COMPONENT,
          service,
          "ClusterIPNotValid",
          "ClusterIPValidation",
          "Cluster IP " + text + " is not a valid IP; please recreate Service");
      return;
    }
    IpAddress ip = parsed.get();
    String shown = "[" + ip.family() + "]: " + ip;
    if (!state.isInAny(ip)) {
      metrics.address(Fault.OUT_OF_RANGE);
      warn(
          service,
          "ClusterIPOutOfRange",
          "Cluster IP "
              + shown
              + " is not within any configured Service CIDR; please recreate service");
      return;
    }
    Optional<ApiObject> held = client.get(Kind.IP_ADDRESSES.resource(), "", ip.toString());
    if (held.isEmpty()) {
      metrics.address(Fault.REPAIR);
      warn(
          service, "ClusterIPNotAllocated", "Cluster IP " + shown + " is not allocated; repairing");
      create(ip, service);
      return;
    }
    checkOwner(service, ip, shown, held.get());
  }

  private void checkOwner(ApiObject service, IpAddress ip, String shown, ApiObject held) {
    MapNode parent = held.root().map("spec").map("parentRef");
    boolean ofServices =
        parent.text("group").isEmpty() && parent.text("resource").equals("services");
    if (ofServices
        && parent.text("namespace").equals(service.meta().namespace())
        && parent.text("name").equals(service.meta().name())) {
      Map<String, String> labels = held.meta().labels();
      if (!NetworkState.ALLOCATOR.equals(labels.get(NetworkState.MANAGED_BY))
          || !ip.family().toString().equals(labels.get(NetworkState.FAMILY))) {
        metrics.address(Fault.REPAIR);
        replace(held, ip, service);
      }
      return;
    }
    Optional<ApiObject> other =
        ofServices
            ? client.get(Kind.SERVICES.resource(), parent.text("namespace"), parent.text("name"))
            : Optional.empty();
    if (other.isPresent() && has(other.get(), ip)) {
      metrics.address(Fault.DUPLICATE);
      warn(
          service,
          "ClusterIPAlreadyAllocated",
          "Cluster IP ["
              + ip.family()
              + "]:"
              + ip
              + " was assigned to multiple services; please recreate service");
      return;
    }
    metrics.address(Fault.REPAIR);
    warn(
        service,
        "ClusterIPNotAllocated",
        "the ClusterIP "
            + shown
            + " for Service "
            + service.meta().namespace()
            + "/"
            + service.meta().name()
            + " has a wrong reference; repairing");
    replace(held, ip, service);
  }

  private static boolean has(ApiObject service, IpAddress ip) {
    for (Node item : service.root().map("spec").items("clusterIPs")) {
      if (item instanceof Node.Text text
          && NetworkState.canonical(text.value()).equals(ip.toString())) {
        return true;
      }
    }
    return false;
  }

  /**
   * Deletes an IPAddress that no Service has, if it was created long enough ago; throws what the
   * client throws.
   */
  void orphan(String name) {
    Optional<ApiObject> found = client.get(Kind.IP_ADDRESSES.resource(), "", name);
    if (found.isEmpty()
        || !NetworkState.ALLOCATOR.equals(
            found.get().meta().labels().get(NetworkState.MANAGED_BY))) {
      return;
    }
    ApiObject address = found.get();
    MapNode parent = address.root().map("spec").map("parentRef");
    if (!parent.text("group").isEmpty() || !parent.text("resource").equals("services")) {
      metrics.address(Fault.LEAK);
      events.warn(
          COMPONENT,
          address,
          "IPAddressNotAllocated",
          "IPAddressAllocation",
          "IPAddress "
              + name
              + " appears to have been modified, not referencing a Service "
              + shown(parent)
              + ": cleaning up");
      delete(address);
      return;
    }
    String service = parent.text("namespace") + "/" + parent.text("name");
    Optional<ApiObject> owner =
        client.get(Kind.SERVICES.resource(), parent.text("namespace"), parent.text("name"));
    if (age(address).compareTo(GRACE) <= 0) {
      // the write of its Service may be under way
      return;
    }
    if (owner.isEmpty()) {
      metrics.address(Fault.LEAK);
      events.warn(
          COMPONENT,
          address,
          "IPAddressNotAllocated",
          "IPAddressAllocation",
          "IPAddress: "
              + name
              + " for Service "
              + service
              + " appears to have leaked: cleaning up");
      delete(address);
    } else if (!IpAddress.tryParse(name).map(ip -> has(owner.get(), ip)).orElse(false)) {
      metrics.address(Fault.LEAK);
      events.warn(
          COMPONENT,
          address,
          "IPAddressWrongReference",
          "IPAddressAllocation",
          "IPAddress: " + name + " for Service " + service + " has a wrong reference; cleaning up");
      delete(address);
    }
  }

  /** As Go prints a pointer to a reference. */
  private static String shown(MapNode parent) {
    return "&ParentReference{Group:"
        + parent.text("group")
        + ",Resource:"
        + parent.text("resource")
        + ",Namespace:"
        + parent.text("namespace")
        + ",Name:"
        + parent.text("name")
        + ",}";
  }

  private Duration age(ApiObject object) {
    try {
      return Duration.between(Instant.parse(object.meta().creationTimestamp()), clock.instant());
    } catch (DateTimeParseException e) {
      return GRACE.plusSeconds(1);
    }
  }

  private void warn(ApiObject service, String reason, String message) {
    events.warn(COMPONENT, service, reason, ALLOCATION, message);
  }

  private void replace(ApiObject held, IpAddress ip, ApiObject service) {
    delete(held);
    create(ip, service);
  }

  private void create(IpAddress ip, ApiObject service) {
    MapNode labels =
        MapNode.ofTexts(
            Map.of(
                NetworkState.FAMILY,
                ip.family().toString(),
                NetworkState.MANAGED_BY,
                NetworkState.ALLOCATOR));
    MapNode parent =
        MapNode.of("resource", Node.text("services"))
            .with("namespace", Node.text(service.meta().namespace()))
            .with("name", Node.text(service.meta().name()));
    MapNode root =
        MapNode.of("metadata", MapNode.of("name", Node.text(ip.toString())).with("labels", labels))
            .with("spec", MapNode.of("parentRef", parent));
    try {
      ApiObject unused = client.create(Kind.IP_ADDRESSES.resource(), "", new ApiObject(root));
    } catch (ApiException e) {
      // another server has repaired it
      if (e.reason() != Reason.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  private void delete(ApiObject address) {
    try {
      client.delete(
          Kind.IP_ADDRESSES.resource(),
          "",
          address.meta().name(),
          new DeleteRequest(
              address.meta().uid(), address.meta().resourceVersion(), Dependents.BACKGROUND));
    } catch (ApiException e) {
      if (e.reason() != Reason.NOT_FOUND && e.reason() != Reason.CONFLICT) {
        throw e;
      }
    }
  }
}
