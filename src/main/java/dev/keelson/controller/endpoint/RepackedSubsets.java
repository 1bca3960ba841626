package dev.keelson.controller.endpoint;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The subsets of Endpoints in the form that Kubernetes' controllers give them and read them in
 * (source: {@code RepackSubsets} of {@code pkg/api/v1/endpoints}): each combination of addresses
 * once, with all ports that exactly these addresses offer. An address that is listed as both ready
 * and not ready is not ready; a port without addresses is dropped. The API server keeps Endpoints
 * as they are sent.
 *
 * <p>Subsets and ports are ordered by the hash (FNV-1a, 128 bits) of Go's full print of the value:
 * arbitrary, but deterministic.
 */
public final class RepackedSubsets {

  /** One address, identified by its IP and the uid of its pod. */
  private record Host(String ip, String uid) {}

  private static final Comparator<MapNode> BY_IP_AND_UID =
      Comparator.comparing((MapNode address) -> address.text("ip"))
          .thenComparing(address -> address.has("targetRef") ? 1 : 0)
          .thenComparing(address -> address.map("targetRef").text("uid"));

  private final Map<Host, MapNode> addresses = new LinkedHashMap<>();

  /** Which hosts offer a port, and whether they are ready; the empty map is no port at all. */
  private final Map<MapNode, Map<Host, Boolean>> hosts = new LinkedHashMap<>();

  private RepackedSubsets() {}

  /** The same addresses and ports, repacked. */
  public static List<Node> of(List<Node> subsets) {
    RepackedSubsets all = new RepackedSubsets();
    for (Node item : subsets) {
      if (item instanceof MapNode subset) {
        List<Node> ports = subset.items("ports");
        for (Node port : ports.isEmpty() ? List.<Node>of(MapNode.EMPTY) : ports) {
          if (port instanceof MapNode offered) {
            all.add(offered, subset.items("addresses"), true);
            all.add(offered, subset.items("notReadyAddresses"), false);
          }
        }
      }
    }
    return all.subsets();
  }

  private void add(MapNode port, List<Node> offering, boolean ready) {
    for (Node item : offering) {
      if (item instanceof MapNode address) {
        Host host = new Host(address.text("ip"), address.map("targetRef").text("uid"));
        addresses.putIfAbsent(host, address);
        hosts
            .computeIfAbsent(port, each -> new LinkedHashMap<>())
            .merge(host, ready, Boolean::logicalAnd);
      }
    }
  }

  private List<Node> subsets() {
    Map<Map<Host, Boolean>, List<MapNode>> ports = new LinkedHashMap<>();
    hosts.forEach(
        (port, offering) -> {
          List<MapNode> shared = ports.computeIfAbsent(offering, each -> new ArrayList<>());
          if (!port.isEmpty()) {
            shared.add(port);
          }
        });
    List<MapNode> subsets = new ArrayList<>();
    ports.forEach((offering, offered) -> subsets.add(subset(offering, offered)));
    return inOrder(subsets, RepackedSubsets::printed);
  }

  private MapNode subset(Map<Host, Boolean> offering, List<MapNode> ports) {
    MapNode.Builder subset = MapNode.builder(3);
    for (Boolean ready : List.of(true, false)) {
      List<Node> chosen = new ArrayList<>();
      offering.entrySet().stream()
          .filter(entry -> entry.getValue().equals(ready))
          .map(entry -> addresses.getOrDefault(entry.getKey(), MapNode.EMPTY))
          .sorted(BY_IP_AND_UID)
          .forEach(chosen::add);
      if (!chosen.isEmpty()) {
        subset.put(ready ? "addresses" : "notReadyAddresses", new Node.Items(chosen));
      }
    }
    if (!ports.isEmpty()) {
      List<Node> sorted = inOrder(ports, port -> "(v1.EndpointPort)" + printedPort(port));
      subset.put("ports", new Node.Items(sorted));
    }
    return subset.build();
  }

  private interface Printer {
    String print(MapNode value);
  }

  private static List<Node> inOrder(List<MapNode> values, Printer printer) {
    if (values.size() < 2) {
      return new ArrayList<>(values);
    }
    Map<MapNode, Fnv1a> sums = new LinkedHashMap<>();
    values.forEach(value -> sums.put(value, Fnv1a.of(printer.print(value))));
    return sums.entrySet().stream()
        .sorted(Map.Entry.comparingByValue())
        .<Node>map(Map.Entry::getKey)
        .toList();
  }

  private static String printed(MapNode subset) {
    return "(v1.EndpointSubset){Addresses:"
        + printedList("EndpointAddress", subset.items("addresses"))
        + " NotReadyAddresses:"
        + printedList("EndpointAddress", subset.items("notReadyAddresses"))
        + " Ports:"
        + printedList("EndpointPort", subset.items("ports"))
        + "}";
  }

  private static String printedList(String type, List<Node> items) {
    StringBuilder text = new StringBuilder("([]v1." + type + ")");
    if (items.isEmpty()) {
      return text.append("<nil>").toString();
    }
    String separator = "[";
    for (Node item : items) {
      MapNode value = item instanceof MapNode map ? map : MapNode.EMPTY;
      text.append(separator)
          .append(type.equals("EndpointPort") ? printedPort(value) : printedAddress(value));
      separator = " ";
    }
    return text.append(']').toString();
  }

  private static String printedPort(MapNode port) {
    return "{Name:(string)"
        + port.text("name")
        + " Port:(int32)"
        + (port.get("port") instanceof Node.Int number ? number.value() : 0)
        + " Protocol:(v1.Protocol)"
        + port.text("protocol")
        + " AppProtocol:"
        + pointer(port, "appProtocol")
        + "}";
  }

  private static String printedAddress(MapNode address) {
    return "{IP:(string)"
        + address.text("ip")
        + " Hostname:(string)"
        + address.text("hostname")
        + " NodeName:"
        + pointer(address, "nodeName")
        + " TargetRef:(*v1.ObjectReference)"
        + reference(address.get("targetRef"))
        + "}";
  }

  private static String reference(@Nullable Node value) {
    if (!(value instanceof MapNode target)) {
      return "<nil>";
    }
    return "{Kind:(string)"
        + target.text("kind")
        + " Namespace:(string)"
        + target.text("namespace")
        + " Name:(string)"
        + target.text("name")
        + " UID:(types.UID)"
        + target.text("uid")
        + " APIVersion:(string)"
        + target.text("apiVersion")
        + " ResourceVersion:(string)"
        + target.text("resourceVersion")
        + " FieldPath:(string)"
        + target.text("fieldPath")
        + "}";
  }

  private static String pointer(MapNode struct, String field) {
    return "(*string)" + (struct.has(field) ? struct.text(field) : "<nil>");
  }
}
