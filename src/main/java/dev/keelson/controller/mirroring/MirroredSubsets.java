package dev.keelson.controller.mirroring;

import dev.keelson.controller.endpoint.RepackedSubsets;
import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.Bool;
import dev.keelson.object.Node.Items;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.IpAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The endpoints that the slices of an Endpoints object should have: those of all subsets with the
 * same ports, apart by address family (source: Kubernetes' {@code
 * endpointslicemirroring/reconciler.go}).
 */
final class MirroredSubsets {

  /** The endpoints of each slice, by what identifies them. */
  private final Map<Key, Group> groups = new LinkedHashMap<>();

  private final int most;
  private int invalid;
  private int left;

  /**
   * What the endpoints of one slice have in common.
   *
   * @param family the address type, such as {@code IPv4}
   * @param ports in any order
   */
  record Key(String family, Set<Node> ports) {

    static Key of(ApiObject slice) {
      return new Key(slice.root().text("addressType"), new HashSet<>(slice.root().items("ports")));
    }
  }

  /**
   * What a slice should have.
   *
   * @param ports in the order of the subset
   * @param endpoints by what makes an endpoint the same one in another state
   */
  record Group(Items ports, Map<String, MapNode> endpoints) {}

  private MirroredSubsets(int most) {
    this.most = most;
  }

  /**
   * The groups of an Endpoints object, whose subsets may be in any form.
   *
   * @param most how many addresses of a subset are mirrored
   */
  static MirroredSubsets of(ApiObject endpoints, int most) {
    MirroredSubsets all = new MirroredSubsets(most);
    // an address may be in several subsets, each with some of its ports
    Node.maps(RepackedSubsets.of(endpoints.root().items("subsets"))).forEach(all::add);
    return all;
  }

  /** The groups that have endpoints. */
  Map<Key, Group> groups() {
    return groups;
  }

  /** How many addresses are none. */
  int invalid() {
    return invalid;
  }

  /** How many addresses are not mirrored, with those that are invalid. */
  int skipped() {
    return left;
  }

  private void add(MapNode subset) {
    Items ports = ports(subset);
    int added = add(subset.maps("addresses"), ports, /* ready= */ true, 0);
    added += add(subset.maps("notReadyAddresses"), ports, /* ready= */ false, added);
    left += subset.items("addresses").size() + subset.items("notReadyAddresses").size() - added;
  }

  private int add(List<MapNode> addresses, Items ports, boolean ready, int before) {
    int added = 0;
    for (MapNode address : addresses) {
      if (before + added >= most) {
        break;
      }
      Optional<IpAddress> ip = ip(address.text("ip"));
      if (ip.isEmpty()) {
        invalid++;
      } else {
        MapNode endpoint = endpoint(ip.get(), address, ready);
        Key key = new Key(ip.get().family().toString(), new HashSet<>(ports.values()));
        MapNode unused =
            groups
                .computeIfAbsent(key, _ -> new Group(ports, new LinkedHashMap<>()))
                .endpoints()
                .put(identity(endpoint), endpoint);
        added++;
      }
    }
    return added;
  }

  /** Numbers with leading zeros, which objects from before strict validation may have, count. */
  private static Optional<IpAddress> ip(String text) {
    return IpAddress.tryParse(
        text.indexOf(':') < 0 ? text.replaceAll("(?<![0-9])0+(?=[0-9])", "") : text);
  }

  private static MapNode endpoint(IpAddress ip, MapNode address, boolean ready) {
    MapNode.Builder endpoint =
        MapNode.builder(5)
            .put("addresses", Node.texts(List.of(ip.toString())))
            .put("conditions", MapNode.of("ready", Bool.of(ready)));
    for (String field : List.of("hostname", "targetRef", "nodeName")) {
      Node value = address.get(field);
      if (value != null && !value.equals(Node.text(""))) {
        endpoint.put(field, value);
      }
    }
    return endpoint.build();
  }

  private static Items ports(MapNode subset) {
    List<Node> ports = new ArrayList<>();
    for (MapNode port : subset.maps("ports")) {
      String protocol = port.text("protocol");
      MapNode.Builder mirrored =
          MapNode.builder(4)
              .put("name", Node.text(port.text("name")))
              .put("protocol", Node.text(protocol.isEmpty() ? "TCP" : protocol));
      for (String field : List.of("port", "appProtocol")) {
        Node value = port.get(field);
        if (value != null) {
          mirrored.put(field, value);
        }
      }
      ports.add(mirrored.build());
    }
    return new Items(ports);
  }

  /** What makes an endpoint the same one in another state. */
  static String identity(MapNode endpoint) {
    MapNode target = endpoint.map("targetRef");
    Set<String> addresses = new TreeSet<>();
    for (Node address : endpoint.items("addresses")) {
      if (address instanceof Node.Text text) {
        addresses.add(text.value());
      }
    }
    return addresses
        + "|"
        + endpoint.text("hostname")
        + "|"
        + target.text("namespace")
        + "/"
        + target.text("name");
  }
}
