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

  /** The subsets, in the order that Kubernetes gives them. */
  Items build() {
    Map<String, List<Address>> byPorts = new TreeMap<>();
    for (Address address : addresses.values()) {
      byPorts.computeIfAbsent(address.ports.toString(), ports -> new ArrayList<>()).add(address);
    }
    Cut cut = cut();
    List<Node> subsets = new ArrayList<>();
    for (List<Address> together : byPorts.values()) {
      MapNode subset = subset(together, cut);
      if (subset.has("addresses") || subset.has("notReadyAddresses")) {
        subsets.add(subset);
      }
    }
    return new Items(RepackedSubsets.of(subsets));
  }

  /**
   * How many addresses of a kind may stay: subsets have shares of them, rounded up, so that the
   * last ones may have less. Ready addresses are cut only if there are too many of them alone, and
   * no others stay then (source: {@code truncateEndpoints}).
   */
  private static final class Cut {
    private final boolean ready;
    private final int all;
    private final int most;
    private int left;

    /**
     * @param ready whether the ready addresses are cut, or the others
     * @param all how many of the kind there are
     * @param most how many may stay
     */
    Cut(boolean ready, int all, int most) {
      this.ready = ready;
      this.all = all;
      this.most = most;
      this.left = most;
    }

    List<Node> of(List<Node> addresses) {
      int share = all == 0 ? 0 : (int) Math.ceil((double) addresses.size() / all * most);
      List<Node> kept = addresses.subList(0, Math.min(Math.min(share, left), addresses.size()));
      left -= kept.size();
      return kept;
    }
  }

  private Cut cut() {
    int ready = (int) addresses.values().stream().filter(address -> address.ready).count();
    int others = addresses.size() - ready;
    if (ready > MOST) {
      return new Cut(/* ready= */ true, ready, MOST);
    }
    return new Cut(/* ready= */ false, others, truncated() ? MOST - ready : others);
  }

  private static MapNode subset(List<Address> together, Cut cut) {
    List<Node> ready = new ArrayList<>();
    List<Node> others = new ArrayList<>();
    for (Address address : together) {
      (address.ready ? ready : others).add(address.node);
    }
    List<Node> readyKept = cut.ready ? cut.of(ready) : ready;
    List<Node> othersKept = cut.ready ? List.of() : cut.of(others);
    MapNode subset = MapNode.EMPTY;
    if (!readyKept.isEmpty()) {
      subset = subset.with("addresses", new Items(List.copyOf(readyKept)));
    }
    if (!othersKept.isEmpty()) {
      subset = subset.with("notReadyAddresses", new Items(List.copyOf(othersKept)));
    }
    List<Node> ports = new ArrayList<>(together.getFirst().ports);
    return ports.isEmpty() ? subset : subset.with("ports", new Items(ports));
  }
}
