package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.List;

/**
 * Where the kubelet of a node listens, by the status of its Node object (source: {@code
 * NodeConnectionInfoGetter} of kubelet/client).
 *
 * @param addressTypes the types of addresses, the preferred first
 * @param defaultPort the port of nodes that do not say theirs
 */
public record Kubelets(List<String> addressTypes, int defaultPort) {

  private static final String HOSTNAME = "Hostname";
  private static final String WEB_SOCKETS = "ExtendWebSocketsToKubelet";

  public Kubelets {
    addressTypes = List.copyOf(addressTypes);
  }

  /**
   * A kubelet's address, not resolved and not checked.
   *
   * @param webSockets whether it takes WebSockets as clients send them
   */
  record Kubelet(String host, int port, boolean webSockets) {}

  /**
   * The kubelet of a node.
   *
   * @throws ApiException if the node has no address of these types
   */
  Kubelet of(MapNode node) {
    MapNode status = node.map("status");
    int port = defaultPort;
    if (status.map("daemonEndpoints").map("kubeletEndpoint").get("Port")
            instanceof Node.Int reported
        && reported.value() > 0
        && reported.value() <= 65_535) {
      port = (int) reported.value();
    }
    boolean webSockets =
        status.items("declaredFeatures").stream()
            .anyMatch(each -> each instanceof Node.Text text && text.value().equals(WEB_SOCKETS));
    return new Kubelet(host(node, status.maps("addresses")), port, webSockets);
  }

  private String host(MapNode node, List<MapNode> addresses) {
    for (String type : addressTypes) {
      for (MapNode address : addresses) {
        if (address.text("type").equals(type)) {
          return address.text("address");
        }
      }
      String label = node.map("metadata").map("labels").text("kubernetes.io/hostname");
      if (type.equals(HOSTNAME) && !label.isEmpty()) {
        return label;
      }
    }
    List<String> known =
        addresses.stream()
            .map(address -> "{" + address.text("type") + " " + address.text("address") + "}")
            .toList();
    throw new ApiException(
        Reason.UNKNOWN,
        "no preferred addresses found; known addresses: [" + String.join(" ", known) + "]",
        ErrorDetails.NONE,
        null);
  }
}
