package dev.keelson.registry.service;

import dev.keelson.api.ApiException;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Reason;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.registry.Reservation;
import dev.keelson.value.IpAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Allocates addresses and ports to one Service for one write. Values that the Service has are not
 * allocated again. A dry run allocates nothing.
 */
final class ServiceReservation implements Reservation {

  /** Random attempts before the values in use are listed. */
  private static final int ATTEMPTS = 8;

  private record Held(Allocator.Kind kind, String value) {}

  private final Allocator allocator;
  private final ServiceRanges ranges;
  private final RandomGenerator random;
  private final boolean dryRun;
  private final String namespace;
  private final String name;
  private final Set<Held> before = new HashSet<>();
  private final List<Held> allocated = new ArrayList<>();
  private final Set<Held> unneeded = new HashSet<>();
  private ApiObject object;

  private ServiceReservation(
      Allocator allocator,
      ServiceRanges ranges,
      RandomGenerator random,
      boolean dryRun,
      ApiObject object,
      @Nullable ApiObject current) {
    this.allocator = allocator;
    this.ranges = ranges;
    this.random = random;
    this.dryRun = dryRun;
    this.object = object;
    namespace = object.meta().namespace();
    name = object.meta().name();
    if (current != null) {
      StoreAllocator.forEachUse(
          current.root().map("spec"), (kind, value) -> before.add(new Held(kind, value)));
    }
  }

  /**
   * Allocates what {@code object} needs.
   *
   * @param current the Service as it is stored, or null for a new one
   * @param causes receives a cause for each value that cannot be allocated
   */
  static ServiceReservation make(
      Allocator allocator,
      ServiceRanges ranges,
      RandomGenerator random,
      boolean dryRun,
      ApiObject object,
      @Nullable ApiObject current,
      List<FieldCause> causes) {
    ServiceReservation made =
        new ServiceReservation(allocator, ranges, random, dryRun, object, current);
    try {
      made.allocate(causes);
    } catch (RuntimeException e) {
      made.release();
      throw e;
    }
    return made;
  }

  private void allocate(List<FieldCause> causes) {
    MapNode spec = object.root().map("spec");
    if (ServiceShape.hasAddress(spec)
        && !ServiceShape.headless(spec)
        && ServiceShape.coherent(spec)) {
      spec = addresses(spec, causes);
    }
    spec = ports(spec, causes);
    if (ServiceShape.hasHealthCheckPort(spec)) {
      spec = healthCheckPort(spec, causes);
    }
    object = object.with("spec", spec);
    unneeded.addAll(before);
    StoreAllocator.forEachUse(spec, (kind, value) -> unneeded.remove(new Held(kind, value)));
  }

  private MapNode addresses(MapNode spec, List<FieldCause> causes) {
    List<String> addresses = ServiceShape.texts(spec, "clusterIPs");
    for (String wanted : addresses) {
      String refusal = refusal(wanted);
      if (!refusal.isEmpty()) {
        causes.add(
            new FieldCause(
                "FieldValueInvalid",
                "Invalid value: [\""
                    + String.join("\",\"", addresses)
                    + "\"]: failed to allocate IP "
                    + wanted
                    + ": "
                    + refusal,
                "spec.clusterIPs"));
        return spec;
      }
    }
    List<String> families = ServiceShape.texts(spec, "ipFamilies");
    for (int i = addresses.size(); i < families.size(); i++) {
      String family = families.get(i);
      for (AddressBlock block : ranges.blocks()) {
        if (block.family().equals(family)) {
          addresses.add(anyAddress(block));
        }
      }
    }
    return addresses.isEmpty()
        ? spec
        : spec.with("clusterIPs", Node.texts(addresses))
            .with("clusterIP", Node.text(addresses.getFirst()));
  }

  /** Why an address cannot be allocated; empty if it was. */
  private String refusal(String wanted) {
    IpAddress address = IpAddress.tryParse(wanted).orElse(null);
    if (address == null || before.contains(new Held(Allocator.Kind.ADDRESS, wanted))) {
      // validation rejects malformed addresses
      return "";
    }
    AddressBlock block = null;
    for (AddressBlock each : ranges.blocks()) {
      block = each.contains(address) ? each : block;
    }
    if (block == null || block.isReserved(address)) {
      return "the provided IP ("
          + wanted
          + ") is not in the valid range. The range of valid IPs is "
          + ranges.blocks().getFirst();
    }
    return take(Allocator.Kind.ADDRESS, address.toString())
        ? ""
        : "provided IP is already allocated";
  }

  private boolean take(Allocator.Kind kind, String value) {
    if (dryRun) {
      return allocator.isFree(kind, value);
    }
    boolean ours = allocator.allocate(kind, value, namespace, name);
    if (ours) {
      allocated.add(new Held(kind, value));
    }
    return ours;
  }

  private String anyAddress(AddressBlock block) {
    int from = block.dynamicFrom();
    int last = block.last();
    for (int i = 0; i < ATTEMPTS && from <= last; i++) {
      String address = block.text(random.nextInt(from, last + 1));
      if (take(Allocator.Kind.ADDRESS, address)) {
        return address;
      }
    }
    Set<String> taken = allocator.taken(Allocator.Kind.ADDRESS);
    // the first address belongs to the Service kubernetes, which requests it
    for (int count = 0, size = last - 1; count < size; count++) {
      String address = block.text(2 + Math.floorMod(from - 2 + count, size));
      if (!taken.contains(address) && take(Allocator.Kind.ADDRESS, address)) {
        return address;
      }
    }
    throw full("failed to allocate a serviceIP: range is full");
  }

  private MapNode ports(MapNode spec, List<FieldCause> causes) {
    boolean all = ServiceShape.hasNodePorts(spec);
    if (!all && !ServiceShape.mayHaveNodePorts(spec)) {
      return spec;
    }
    Map<Node, Long> byPort = new HashMap<>();
    for (Node item : spec.items("ports")) {
      if (ServiceShape.nodePort(item) != 0 && item instanceof MapNode port) {
        byPort.putIfAbsent(portNumber(port), nodePort(port));
      }
    }
    List<Node> ports = new ArrayList<>();
    Set<Long> checked = new HashSet<>();
    for (Node item : spec.items("ports")) {
      ports.add(
          item instanceof MapNode port
              ? port(port, ports.size(), all, byPort, checked, causes)
              : item);
    }
    return ports.isEmpty() ? spec : spec.with("ports", new Node.Items(ports));
  }

  private static Node portNumber(MapNode port) {
    Node number = port.get("port");
    return number == null ? Node.Null.NULL : number;
  }

  private static long nodePort(MapNode port) {
    return ServiceShape.nodePort(port);
  }

  private MapNode port(
      MapNode port,
      int index,
      boolean all,
      Map<Node, Long> byPort,
      Set<Long> checked,
      List<FieldCause> causes) {
    long wanted = nodePort(port);
    if (wanted == 0) {
      if (!all) {
        return port;
      }
      // the same port in another protocol has the same node port
      Long shared = before.isEmpty() ? byPort.get(portNumber(port)) : null;
      wanted = shared == null ? anyPort(checked) : shared;
      byPort.putIfAbsent(portNumber(port), wanted);
      checked.add(wanted);
      return port.with("nodePort", new Node.Int(wanted));
    }
    if (checked.add(wanted)) {
      String refusal = refusal(wanted);
      if (!refusal.isEmpty()) {
        causes.add(FieldCause.invalid("spec.ports[" + index + "].nodePort", wanted, refusal));
      }
    }
    return port;
  }

  private String refusal(long wanted) {
    if (before.contains(new Held(Allocator.Kind.PORT, Long.toString(wanted)))) {
      return "";
    }
    if (wanted < ranges.firstPort() || wanted > ranges.lastPort()) {
      return "provided port is not in the valid range. The range of valid ports is "
          + ranges.firstPort()
          + "-"
          + ranges.lastPort();
    }
    return take(Allocator.Kind.PORT, Long.toString(wanted))
        ? ""
        : "provided port is already allocated";
  }

  private MapNode healthCheckPort(MapNode spec, List<FieldCause> causes) {
    long wanted = ServiceShape.healthCheckPort(spec);
    if (wanted == 0) {
      return spec.with("healthCheckNodePort", new Node.Int(anyPort(Set.of())));
    }
    String refusal = refusal(wanted);
    if (!refusal.isEmpty()) {
      causes.add(FieldCause.invalid("spec.healthCheckNodePort", wanted, refusal));
    }
    return spec;
  }

  private long anyPort(Set<Long> ours) {
    int size = ranges.lastPort() - ranges.firstPort() + 1;
    for (int i = 0; i < ATTEMPTS; i++) {
      long port = (long) ranges.firstPort() + random.nextInt(size);
      if (!ours.contains(port) && take(Allocator.Kind.PORT, Long.toString(port))) {
        return port;
      }
    }
    Set<String> taken = allocator.taken(Allocator.Kind.PORT);
    int start = random.nextInt(size);
    for (int i = 0; i < size; i++) {
      long port = (long) ranges.firstPort() + (start + i) % size;
      if (!ours.contains(port)
          && !taken.contains(Long.toString(port))
          && take(Allocator.Kind.PORT, Long.toString(port))) {
        return port;
      }
    }
    throw full("failed to allocate a nodePort: range is full");
  }

  private static ApiException full(String message) {
    return new ApiException(Reason.INTERNAL_ERROR, "Internal error occurred: " + message);
  }

  @Override
  public ApiObject object() {
    return object;
  }

  @Override
  public void commit() {
    release(unneeded);
  }

  @Override
  public void release() {
    release(allocated);
  }

  private void release(Iterable<Held> all) {
    if (!dryRun) {
      for (Held held : all) {
        allocator.release(held.kind, held.value, namespace, name);
      }
    }
  }
}
