package dev.keelson.registry.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Reservation;
import dev.keelson.value.IpAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Allocates addresses and ports to one Service for one write (source: allocateCreate and
 * allocateUpdate of kube-apiserver). A dry run allocates nothing.
 */
final class ServiceReservation implements Reservation {

  private final AddressAllocator addresses;
  private final StoredNodePorts nodePorts;
  private final PortReservation ports;
  private final boolean dryRun;
  private final ServiceName service;
  private final List<String> allocated = new ArrayList<>();
  private final Set<String> unneeded = new HashSet<>();
  private final Set<Integer> unneededPorts = new HashSet<>();
  private ApiObject object;

  private ServiceReservation(
      AddressAllocator addresses, StoredNodePorts nodePorts, boolean dryRun, ApiObject object) {
    this.addresses = addresses;
    this.nodePorts = nodePorts;
    this.dryRun = dryRun;
    this.object = object;
    service = ServiceName.of(object);
    ports = new PortReservation(nodePorts, service.name(), dryRun);
  }

  /**
   * Allocates what {@code object} needs; its families are complete.
   *
   * @param current the Service as it is stored, or null for a new one
   * @throws ApiException if a value cannot be allocated; nothing is then
   */
  static ServiceReservation make(
      AddressAllocator addresses,
      StoredNodePorts nodePorts,
      boolean dryRun,
      ApiObject object,
      @Nullable ApiObject current) {
    ServiceReservation made = new ServiceReservation(addresses, nodePorts, dryRun, object);
    try {
      made.allocate(current == null ? null : current.root().map("spec"));
    } catch (RuntimeException e) {
      made.release();
      throw e;
    }
    return made;
  }

  private void allocate(@Nullable MapNode old) {
    MapNode spec = object.root().map("spec");
    if (ServiceShape.coherent(spec)) {
      int held = old == null ? 0 : held(spec, old);
      if (needsAddresses(spec, old)) {
        spec = addresses(spec, held);
      }
    }
    spec = old == null ? ports.create(spec) : ports.update(spec, old);
    object = object.with("spec", spec);
    if (old != null) {
      unneeded.addAll(ServiceShape.addresses(old));
      unneeded.removeAll(ServiceShape.addresses(spec));
      unneededPorts.addAll(ServiceShape.ports(old));
      unneededPorts.removeAll(ServiceShape.ports(spec));
    }
  }

  /**
   * Whether addresses are missing: of a new Service, of one that was an ExternalName, and the
   * second one of a Service that gets a second family. Other changes are left to validation.
   */
  private static boolean needsAddresses(MapNode spec, @Nullable MapNode old) {
    if (!ServiceShape.hasAddress(spec) || ServiceShape.headless(spec)) {
      return false;
    }
    if (old == null || !ServiceShape.hasAddress(old)) {
      return true;
    }
    return !ServiceShape.headless(old)
        && old.items("ipFamilies").size() == 1
        && spec.items("ipFamilies").size() == 2
        && !ServiceFamilies.staysPreferred(spec, old);
  }

  /** How many of the first addresses the Service has. */
  private static int held(MapNode spec, MapNode old) {
    return ServiceShape.hasAddress(old) && ServiceShape.hasAddress(spec) ? 1 : 0;
  }

  private MapNode addresses(MapNode spec, int held) {
    List<String> families = ServiceShape.texts(spec, "ipFamilies");
    List<String> wanted = new ArrayList<>(ServiceShape.texts(spec, "clusterIPs"));
    while (wanted.size() < families.size()) {
      wanted.add("");
    }
    List<String> result = new ArrayList<>(wanted);
    for (int i = held; i < families.size(); i++) {
      result.set(i, wanted.get(i).isEmpty() ? any(families.get(i)) : requested(wanted, i));
    }
    return result.isEmpty()
        ? spec
        : spec.with("clusterIPs", Node.texts(result))
            .with("clusterIP", Node.text(result.getFirst()));
  }

  private String any(String family) {
    String address =
        addresses
            .allocateNext(family, service, dryRun)
            .orElseThrow(
                () ->
                    new ApiException(
                        Reason.INTERNAL_ERROR,
                        "Internal error occurred: failed to allocate a serviceIP: range is full"));
    allocated.add(address);
    return address;
  }

  private String requested(List<String> wanted, int index) {
    String text = wanted.get(index);
    IpAddress address = IpAddress.parse(text);
    String refusal = addresses.allocate(address, service, dryRun);
    if (!refusal.isEmpty()) {
      throw ServiceShape.invalid(
          service.name(),
          ServiceShape.invalidAddresses(
              "spec.clusterIPs", wanted, "failed to allocate IP " + text + ": " + refusal));
    }
    allocated.add(address.toString());
    return text;
  }

  @Override
  public ApiObject object() {
    return object;
  }

  @Override
  public void commit() {
    if (!dryRun) {
      unneeded.forEach(address -> addresses.release(address, service));
      unneededPorts.forEach(nodePorts::release);
    }
  }

  @Override
  public void release() {
    if (!dryRun) {
      allocated.forEach(address -> addresses.release(address, service));
      ports.release();
    }
  }
}
