package dev.keelson.webhook;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.GoQuote;
import java.net.InetSocketAddress;

/** Parts of a Service that both ways of routing read (source: apiserver's util/proxy/proxy.go). */
final class ServicePorts {

  private ServicePorts() {}

  static MapNode spec(ServiceSource source, String namespace, String name)
      throws UnresolvableServiceException {
    ApiObject service =
        source
            .service(namespace, name)
            .orElseThrow(
                () ->
                    new UnresolvableServiceException(
                        "service " + GoQuote.quote(name) + " not found"));
    return service.root().map("spec");
  }

  /** The port of a Service with this number. */
  static MapNode find(MapNode spec, String name, int port) throws UnresolvableServiceException {
    for (MapNode candidate : spec.maps("ports")) {
      if (candidate.get("port") instanceof Node.Int number && number.value() == port) {
        return candidate;
      }
    }
    throw new UnresolvableServiceException(
        "no service port " + port + " found for service " + GoQuote.quote(name));
  }

  static UnresolvableServiceException unsupported(String type) {
    return new UnresolvableServiceException("unsupported service type " + GoQuote.quote(type));
  }

  static InetSocketAddress address(String host, int port) {
    return InetSocketAddress.createUnresolved(host, port);
  }
}
