package dev.keelson.controller.service;

import dev.keelson.controller.service.NetworkChanges.Kind;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectSink;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What the controllers know of ServiceCIDRs, Services and IPAddresses: a few fields of each. It
 * finds what may be wrong; the reconcilers read the objects again before they change something.
 *
 * <p>Written by one thread; the ranges and addresses are read by others.
 */
final class NetworkState implements ObjectSink<Kind> {

  static final String MANAGED_BY = "ipaddress.kubernetes.io/managed-by";
  static final String FAMILY = "ipaddress.kubernetes.io/ip-family";
  static final String ALLOCATOR = "ipallocator.k8s.io";

  private record Range(List<Cidr> cidrs, boolean deleting, boolean needsWork) {}

  /** A Service; addresses in canonical form, ports as a Service may have them twice. */
  record Used(Set<String> addresses, List<Integer> ports) {}

  /**
   * An IPAddress.
   *
   * @param service its Service as namespace/name; empty if it is for something else
   */
  private record Address(IpAddress ip, boolean managed, boolean labelled, String service) {}

  private final Map<String, Range> ranges = new ConcurrentHashMap<>();
  private final Map<String, Address> addresses = new ConcurrentHashMap<>();
  private final Map<String, Used> services = new HashMap<>();

  /** Managed addresses whose Service does not exist or does not have them. */
  private final Set<String> orphans = new HashSet<>();

  private final Set<String> touchedServices = new HashSet<>();
  private final Set<String> touchedAddresses = new HashSet<>();
  private final Set<String> touchedRanges = new HashSet<>();
  private boolean addressesOrRangesChanged;

  @Override
  public void clear(Kind kind) {
    switch (kind) {
      case SERVICE_CIDRS -> ranges.clear();
      case SERVICES -> services.clear();
      case IP_ADDRESSES -> {
        addresses.clear();
        orphans.clear();
      }
    }
  }

  @Override
  public void put(Kind kind, ApiObject object) {
    String name = object.meta().name();
    switch (kind) {
      case SERVICE_CIDRS -> {
        ranges.put(
            name,
            new Range(
                ServiceCidrObject.ranges(object),
                object.meta().deleting(),
                ServiceCidrObject.needsWork(object)));
        touchedRanges.add(name);
        addressesOrRangesChanged = true;
      }
      case SERVICES -> {
        String key = key(object.meta().namespace(), name);
        Used used = used(object.root().map("spec"));
        Used before = services.put(key, used);
        touchedServices.add(key);
        if (before != null) {
          touchedAddresses.addAll(before.addresses());
        }
        touchedAddresses.addAll(used.addresses());
      }
      case IP_ADDRESSES ->
          IpAddress.tryParse(name)
              .ifPresent(
                  ip -> {
                    Address address = address(ip, object);
                    addresses.put(name, address);
                    touchedAddresses.add(name);
                    touchedServices.add(address.service());
                    addressesOrRangesChanged = true;
                  });
    }
  }

  @Override
  public void remove(Kind kind, String namespace, String name) {
    switch (kind) {
      case SERVICE_CIDRS -> {
        ranges.remove(name);
        addressesOrRangesChanged = true;
      }
      case SERVICES -> {
        Used before = services.remove(key(namespace, name));
        if (before != null) {
          touchedAddresses.addAll(before.addresses());
        }
      }
      case IP_ADDRESSES -> {
        Address before = addresses.remove(name);
        orphans.remove(name);
        addressesOrRangesChanged = true;
        if (before != null && !before.service().isEmpty()) {
          touchedServices.add(before.service());
        }
      }
    }
  }

  static String key(String namespace, String name) {
    return namespace + "/" + name;
  }

  private static Used used(MapNode spec) {
    Set<String> addresses = new LinkedHashSet<>();
    if (!spec.text("type").equals("ExternalName")) {
      for (Node item : spec.items("clusterIPs")) {
        if (item instanceof Node.Text text && !text.value().equals("None")) {
          addresses.add(canonical(text.value()));
        }
      }
    }
    return new Used(Set.copyOf(addresses), List.copyOf(nodePorts(spec)));
  }

  /** The canonical form of an address; a text that is none as it is. */
  static String canonical(String text) {
    return IpAddress.tryParse(text).map(IpAddress::toString).orElse(text);
  }

  /**
   * The node ports of a Service: one that several protocols share once, one that a protocol has
   * twice twice (source: collectServiceNodePorts of the port repair).
   */
  private static List<Integer> nodePorts(MapNode spec) {
    List<Integer> ports = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    Set<Integer> known = new HashSet<>();
    for (MapNode port : spec.maps("ports")) {
      if (port.get("nodePort") instanceof Node.Int number && number.value() != 0) {
        int own = (int) number.value();
        boolean again = !seen.add(port.text("protocol") + own);
        if (known.add(own) || again) {
          ports.add(own);
        }
      }
    }
    if (spec.get("healthCheckNodePort") instanceof Node.Int number && number.value() != 0) {
      int own = (int) number.value();
      if (!known.contains(own) || seen.contains("TCP" + own)) {
        ports.add(own);
      }
    }
    return ports;
  }

  private static Address address(IpAddress ip, ApiObject object) {
    MapNode parent = object.root().map("spec").map("parentRef");
    boolean service = parent.text("group").isEmpty() && parent.text("resource").equals("services");
    Map<String, String> labels = object.meta().labels();
    return new Address(
        ip,
        ALLOCATOR.equals(labels.get(MANAGED_BY)),
        ip.family().toString().equals(labels.get(FAMILY)),
        service ? key(parent.text("namespace"), parent.text("name")) : "");
  }

  /** All Services, by namespace/name. */
  Map<String, Used> services() {
    return services;
  }

  /** Marks everything as changed, so that what is wrong is found again. */
  void touchAll() {
    touchedServices.addAll(services.keySet());
    touchedAddresses.addAll(addresses.keySet());
    touchedRanges.addAll(ranges.keySet());
    addressesOrRangesChanged = true;
  }

  /**
   * Finds what may be wrong among what has changed since the last call.
   *
   * @param wrongServices takes namespace/name of Services whose addresses are not theirs
   * @param strange takes addresses of the allocator that are for something else than a Service
   * @param wrongRanges takes the names of ServiceCIDRs to reconcile
   */
  void findWrong(
      Consumer<String> wrongServices, Consumer<String> strange, Consumer<String> wrongRanges) {
    for (String key : touchedServices) {
      Used used = services.get(key);
      if (used != null && used.addresses().stream().anyMatch(ip -> !belongsTo(ip, key))) {
        wrongServices.accept(key);
      }
    }
    touchedServices.clear();
    for (String ip : touchedAddresses) {
      if (isOrphan(ip)) {
        orphans.add(ip);
        if (isForSomethingElse(ip)) {
          strange.accept(ip);
        }
      } else {
        orphans.remove(ip);
      }
    }
    touchedAddresses.clear();
    ranges.forEach(
        (name, range) -> {
          if ((touchedRanges.contains(name) && range.needsWork())
              || (addressesOrRangesChanged && range.deleting())) {
            wrongRanges.accept(name);
          }
        });
    touchedRanges.clear();
    addressesOrRangesChanged = false;
  }

  private boolean belongsTo(String ip, String service) {
    Address address = addresses.get(ip);
    return address != null
        && address.managed()
        && address.labelled()
        && address.service().equals(service);
  }

  private boolean isOrphan(String ip) {
    Address address = addresses.get(ip);
    if (address == null || !address.managed()) {
      return false;
    }
    Used used = services.get(address.service());
    return used == null || !used.addresses().contains(ip);
  }

  private boolean isForSomethingElse(String ip) {
    Address address = addresses.get(ip);
    return address != null && address.service().isEmpty();
  }

  /** Addresses that may have leaked. */
  Collection<String> orphans() {
    return orphans;
  }

  /** Whether the ServiceCIDRs are known: the default one is made at the start. */
  boolean hasRanges() {
    return !ranges.isEmpty();
  }

  /** Whether an address is in any ServiceCIDR. */
  boolean isInAny(IpAddress address) {
    return ranges.values().stream()
        .anyMatch(range -> range.cidrs().stream().anyMatch(cidr -> cidr.contains(address)));
  }

  /** Whether an address is in another ServiceCIDR that stays. */
  boolean isInOther(String name, IpAddress address) {
    return others(name).anyMatch(cidr -> cidr.contains(address));
  }

  /** Whether a range is a part of another ServiceCIDR that stays. */
  boolean isCoveredByOther(String name, Cidr range) {
    return others(name).anyMatch(cidr -> cidr.contains(range));
  }

  private Stream<Cidr> others(String name) {
    return ranges.entrySet().stream()
        .filter(entry -> !entry.getKey().equals(name) && !entry.getValue().deleting())
        .flatMap(entry -> entry.getValue().cidrs().stream());
  }

  /** The addresses of Services. */
  List<IpAddress> managedAddresses() {
    return addresses.values().stream().filter(Address::managed).map(Address::ip).toList();
  }

  /** The ranges of all ServiceCIDRs, each once. */
  Set<Cidr> allRanges() {
    Set<Cidr> all = new LinkedHashSet<>();
    ranges.values().forEach(range -> all.addAll(range.cidrs()));
    return all;
  }
}
