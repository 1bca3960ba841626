package dev.keelson.webhook;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Routes to a ready endpoint of a Service, chosen at random, for a server outside of the cluster's
 * network of Services (flag {@code --enable-aggregator-routing}; source: apiserver's {@code
 * proxy.ResolveEndpoint}).
 */
public final class EndpointAddresses implements ServiceResolver {

  private final ServiceSource services;
  private final RandomGenerator random;

  /** A resolver that reads from {@code services} on each call. */
  public EndpointAddresses(ServiceSource services, RandomGenerator random) {
    this.services = services;
    this.random = random;
  }

  @Override
  public InetSocketAddress resolve(String namespace, String name, int port)
      throws UnresolvableServiceException {
    MapNode spec = ServicePorts.spec(services, namespace, name);
    switch (spec.text("type")) {
      case "ClusterIP", "LoadBalancer", "NodePort" -> {}
      default -> throw ServicePorts.unsupported(spec.text("type"));
    }
    String portName = ServicePorts.find(spec, name, port).text("name");
    for (MapNode slice : slices(spec, namespace, name)) {
      for (MapNode candidate : slice.maps("ports")) {
        InetSocketAddress found = endpoint(slice, candidate, portName);
        if (found != null) {
          return found;
        }
      }
    }
    throw new UnresolvableServiceException(
        "no endpoints available for service " + GoQuote.quote(name));
  }

  /** The slices in random order, those of the Service's primary IP family first. */
  private List<MapNode> slices(MapNode spec, String namespace, String name) {
    List<MapNode> slices = new ArrayList<>();
    for (ApiObject slice : services.endpointSlices(namespace, name)) {
      slices.add(slice.root());
    }
    if (slices.size() > 1
        && spec.items("ipFamilies").stream().findFirst().orElse(null)
            instanceof Node.Text primary) {
      Collections.shuffle(slices, java.util.Random.from(random));
      slices.sort(
          Comparator.comparing(slice -> !slice.text("addressType").equals(primary.value())));
    }
    return slices;
  }

  /** A ready endpoint of a slice, or null if the port is another or no endpoint is ready. */
  private @Nullable InetSocketAddress endpoint(MapNode slice, MapNode port, String portName) {
    // an unnamed port is the empty name
    if (!port.text("name").equals(portName) || !(port.get("port") instanceof Node.Int number)) {
      return null;
    }
    List<MapNode> endpoints = slice.maps("endpoints");
    int offset = endpoints.isEmpty() ? 0 : random.nextInt(endpoints.size());
    for (int i = 0; i < endpoints.size(); i++) {
      MapNode endpoint = endpoints.get((i + offset) % endpoints.size());
      List<Node> addresses = endpoint.items("addresses");
      if (endpoint.map("conditions").get("ready") != Node.Bool.FALSE
          && !addresses.isEmpty()
          && addresses.get(0) instanceof Node.Text address) {
        return ServicePorts.address(address.value(), (int) number.value());
      }
    }
    return null;
  }
}
