package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.http.node.NodeClients.Way;
import dev.keelson.http.relay.Target;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.net.UnknownHostException;
import java.util.random.RandomGenerator;

/**
 * Where requests go (source: {@code LogLocation}, {@code ExecLocation} and {@code ResourceLocation}
 * of kube-apiserver's registries). May block.
 *
 * @param objects the cluster's
 * @param kubelets how kubelets are found
 * @param rule which addresses are allowed
 * @param random chooses among endpoints
 */
public record Locations(
    ClusterObjects objects, Kubelets kubelets, AddressRule rule, RandomGenerator random) {

  private static final int HTTP = 80;
  private static final int HTTPS = 443;

  /**
   * A server, and how it is connected to.
   *
   * @param webSockets whether it takes WebSockets as clients send them; of kubelets
   */
  record Place(Target target, Way way, boolean webSockets) {}

  /**
   * The kubelet of a node.
   *
   * @throws ApiException if the address is missing or not allowed
   */
  Place kubelet(MapNode node) {
    Kubelets.Kubelet found = kubelets.of(node);
    return place(found, found.port(), Way.KUBELET);
  }

  private Place place(Kubelets.Kubelet found, int port, Way way) {
    try {
      return new Place(rule.kubelet(found.host(), port, way != Way.PLAIN), way, found.webSockets());
    } catch (UnknownHostException e) {
      throw Failures.plain(Failures.noSuchHost(found.host()), e);
    }
  }

  /**
   * The server of {@code nodes/proxy}: the kubelet, or another port of its node.
   *
   * @param id the name as in the path
   */
  Place node(String id) {
    SchemeNamePort asked =
        SchemeNamePort.split(id)
            .orElseThrow(
                () -> ApiException.badRequest("invalid node request " + GoQuote.quote(id)));
    Kubelets.Kubelet found = kubelets.of(objects.node(asked.name()));
    if (asked.port().isEmpty() || asked.port().equals(Integer.toString(found.port()))) {
      return place(found, found.port(), Way.KUBELET);
    }
    return place(found, port(asked.port()), asked.secure() ? Way.SECURE : Way.PLAIN);
  }

  /**
   * A port of a pod.
   *
   * @param id the name as in the path
   */
  Place pod(String namespace, String id) {
    SchemeNamePort asked =
        SchemeNamePort.split(id)
            .orElseThrow(() -> ApiException.badRequest("invalid pod request " + GoQuote.quote(id)));
    MapNode pod = objects.pod(namespace, asked.name());
    int port = asked.port().isEmpty() ? firstPort(pod, asked) : port(asked.port());
    String ip =
        pod.map("status").maps("podIPs").stream()
            .findFirst()
            .map(each -> each.text("ip"))
            .orElse("");
    return remote(AddressRule.remote(ip, port, asked.secure()));
  }

  private static int firstPort(MapNode pod, SchemeNamePort asked) {
    for (MapNode container : pod.map("spec").maps("containers")) {
      for (MapNode port : container.maps("ports")) {
        if (port.get("containerPort") instanceof Node.Int number) {
          return (int) number.value();
        }
      }
    }
    return asked.secure() ? HTTPS : HTTP;
  }

  private static int port(String text) {
    int number = text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
    if (number < 1 || number > 65_535) {
      throw new ApiException(
          dev.keelson.api.Reason.SERVICE_UNAVAILABLE,
          "error trying to reach service: dial tcp: lookup tcp/" + text + ": unknown port");
    }
    return number;
  }

  /**
   * An endpoint of a service.
   *
   * @param id the name as in the path
   */
  Place service(String namespace, String id) {
    return remote(new ServiceEndpoints(objects, random).of(namespace, id));
  }

  private static Place remote(Target target) {
    return new Place(target, target.secure() ? Way.SECURE : Way.PLAIN, false);
  }
}
