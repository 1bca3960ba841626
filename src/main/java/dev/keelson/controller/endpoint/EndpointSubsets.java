package dev.keelson.controller.endpoint;

import dev.keelson.object.Node;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The subsets of an Endpoints object: the addresses that have the same ports, ready or not (source:
 * Kubernetes' {@code pkg/api/v1/endpoints}).
 */
final class EndpointSubsets {

  /** More addresses than this are left out. */
  private static final int MOST = 1000;

  private final ServiceFacts service;

  /** The ports of each address, by the address. */
  private final Map<String, Address> addresses = new TreeMap<>();

  private static final class Address {
    private final MapNode node;
    private final boolean ready;
    private final TreeSet<MapNode> ports = new TreeSet<>(Comparator.comparing(MapNode::toString));

    Address(MapNode node, boolean ready) {
      this.node = node;
      this.ready = ready;
    }
  }

  EndpointSubsets(ServiceFacts service) {
    this.service = service;
  }

  /** Adds a pod with its address of the first family of the Service, if it has one. */
  void add(EndpointPod pod) {
    if (!pod.serves() || (pod.deleting() && !service.publishesNotReady())) {
      return;
    }
    String family = service.families().getFirst();
    for (String address : pod.addresses()) {
      if (family.equals("IPv6") == address.contains(":")) {
        add(pod, address);
        return;
      }
    }
  }

  private void add(EndpointPod pod, String ip) {
    Items ports = SliceForm.ports(service, pod);
    if (ports.values().isEmpty() && !service.ports().isEmpty()) {
      return;
    }
    MapNode.Builder node = MapNode.builder(4).put("ip", Node.text(ip));
    if (!pod.hostname().isEmpty() && pod.subdomain().equals(service.name().name())) {
      node.put("hostname", Node.text(pod.hostname()));
    }
    if (!pod.node().isEmpty()) {
      node.put("nodeName", Node.text(pod.node()));
    }
    node.put("targetRef", SliceForm.target(pod));
    boolean ready = pod.ready() || service.publishesNotReady();
    Address known =
        addresses.computeIfAbsent(ip + "/" + pod.uid(), key -> new Address(node.build(), ready));
    for (Node port : ports.values()) {
      if (port instanceof MapNode each) {
        known.ports.add(each.text("name").isEmpty() ? each.without("name") : each);
      }
    }
  }

  /** Whether there are more addresses than an Endpoints object may have. */
  boolean truncated() {
    return addresses.size() > MOST;
  }

  /** The subsets, in a fixed order. */
  Items build() {
    Map<String, List<Address>> byPorts = new TreeMap<>();
    // the ready ones are kept before the others
    List<Address> kept = new ArrayList<>(addresses.values());
    kept.sort(Comparator.comparing(address -> !address.ready));
    for (Address address : kept.subList(0, Math.min(MOST, kept.size()))) {
      byPorts.computeIfAbsent(address.ports.toString(), ports -> new ArrayList<>()).add(address);
    }
    List<Node> subsets = new ArrayList<>();
    byPorts.values().forEach(together -> subsets.add(subset(together)));
    return new Items(subsets);
  }

  private static MapNode subset(List<Address> together) {
    List<Node> ready = new ArrayList<>();
    List<Node> others = new ArrayList<>();
    for (Address address : together) {
      (address.ready ? ready : others).add(address.node);
    }
    MapNode subset = MapNode.EMPTY;
    if (!ready.isEmpty()) {
      subset = subset.with("addresses", new Items(ready));
    }
    if (!others.isEmpty()) {
      subset = subset.with("notReadyAddresses", new Items(others));
    }
    List<Node> ports = new ArrayList<>(together.getFirst().ports);
    return ports.isEmpty() ? subset : subset.with("ports", new Items(ports));
  }
}
