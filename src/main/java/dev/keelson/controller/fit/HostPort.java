package dev.keelson.controller.fit;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A port of the node that a pod uses.
 *
 * @param address of the node; {@code 0.0.0.0} for all
 * @param protocol such as {@code TCP}
 */
public record HostPort(String address, String protocol, long port) {

  private static final String ALL = "0.0.0.0";

  /** Reads the ports of a pod's spec. */
  public static List<HostPort> of(MapNode spec) {
    List<HostPort> ports = new ArrayList<>();
    for (String list : List.of("containers", "initContainers")) {
      for (MapNode container : spec.maps(list)) {
        if (list.equals("containers") || container.text("restartPolicy").equals("Always")) {
          add(container, ports);
        }
      }
    }
    return ports;
  }

  private static void add(MapNode container, List<HostPort> ports) {
    for (MapNode port : container.maps("ports")) {
      if (port.get("hostPort") instanceof Node.Int number && number.value() > 0) {
        String address = port.text("hostIP");
        String protocol = port.text("protocol");
        ports.add(
            new HostPort(
                address.isEmpty() ? ALL : address,
                protocol.isEmpty() ? "TCP" : protocol,
                number.value()));
      }
    }
  }

  /** Whether two pods with these ports cannot be on the same node. */
  public boolean conflicts(HostPort other) {
    return port == other.port
        && protocol.equals(other.protocol)
        && (address.equals(ALL) || other.address.equals(ALL) || address.equals(other.address));
  }
}
