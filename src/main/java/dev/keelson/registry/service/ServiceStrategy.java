package dev.keelson.registry.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.KindStrategy;
import dev.keelson.registry.Reservation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Allocates addresses and ports to Services and releases them. */
public final class ServiceStrategy implements KindStrategy {

  private static final String BALANCED = "LoadBalancer";
  private static final String BALANCER = "loadBalancer";

  private final AddressAllocator addresses;
  private final StoredNodePorts ports;
  private final StoredEndpoints endpoints;
  private final ServiceFamilies families;

  /**
   * A strategy with allocators.
   *
   * @param endpoints those that go with their Service
   */
  public ServiceStrategy(
      AddressAllocator addresses,
      StoredNodePorts ports,
      StoredEndpoints endpoints,
      ServiceRanges ranges) {
    this.addresses = addresses;
    this.ports = ports;
    this.endpoints = endpoints;
    families = new ServiceFamilies(ranges);
  }

  @Override
  public ApiObject prepareForCreate(ApiObject object) {
    return object.with("spec", ServiceShape.normalized(object.root().map("spec")));
  }

  @Override
  public ApiObject prepareForUpdate(ApiObject object, ApiObject current) {
    MapNode spec = object.root().map("spec");
    MapNode old = current.root().map("spec");
    if (spec.equals(old)) {
      return object;
    }
    ApiObject next = object.with("spec", ServiceShape.carriedOver(spec, old));
    MapNode status = next.root().map("status");
    return spec.text("type").equals(BALANCED) || !status.has(BALANCER)
        ? next
        : next.with("status", status.with(BALANCER, MapNode.EMPTY));
  }

  /** A field that older servers set for each type, and that means nothing without an address. */
  @Override
  public ApiObject canonical(ApiObject object) {
    MapNode spec = object.root().map("spec");
    return ServiceShape.hasAddress(spec) || !spec.has("internalTrafficPolicy")
        ? object
        : object.with("spec", spec.without("internalTrafficPolicy"));
  }

  @Override
  public Reservation reserve(ApiObject object, @Nullable ApiObject current, boolean dryRun) {
    MapNode spec = object.root().map("spec");
    MapNode old = current == null ? null : current.root().map("spec");
    if (spec.equals(old)) {
      return Reservation.none(object);
    }
    List<FieldCause> causes = new ArrayList<>();
    ApiObject complete = object.with("spec", families.complete(spec, old, causes));
    if (!causes.isEmpty()) {
      throw ApiException.invalid(
          GroupVersion.CORE_V1.kind("Service"), object.meta().name(), causes);
    }
    return ServiceReservation.make(addresses, ports, dryRun, complete, current);
  }

  @Override
  public void removed(ApiObject object) {
    MapNode spec = object.root().map("spec");
    ServiceName service = ServiceName.of(object);
    endpoints.delete(service);
    ServiceShape.addresses(spec).forEach(address -> addresses.release(address, service));
    ServiceShape.ports(spec).forEach(ports::release);
  }
}
