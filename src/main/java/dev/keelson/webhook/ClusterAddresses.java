package dev.keelson.webhook;

import dev.keelson.object.Node.MapNode;
import java.net.InetSocketAddress;

/**
 * Routes to the cluster IP of a Service, or to the name of an ExternalName Service (source:
 * apiserver's {@code proxy.ResolveCluster}).
 */
public final class ClusterAddresses implements ServiceResolver {

  private final ServiceSource services;

  /** A resolver that reads from {@code services} on each call. */
  public ClusterAddresses(ServiceSource services) {
    this.services = services;
  }

  @Override
  public InetSocketAddress resolve(String namespace, String name, int port)
      throws UnresolvableServiceException {
    MapNode spec = ServicePorts.spec(services, namespace, name);
    String type = spec.text("type");
    String clusterIp = spec.text("clusterIP");
    return switch (type) {
      case "ClusterIP", "LoadBalancer", "NodePort" -> {
        if (type.equals("ClusterIP") && clusterIp.equals("None")) {
          throw new UnresolvableServiceException("cannot route to service with ClusterIP \"None\"");
        }
        ServicePorts.find(spec, name, port);
        yield ServicePorts.address(clusterIp, port);
      }
      case "ExternalName" -> ServicePorts.address(spec.text("externalName"), port);
      default -> throw ServicePorts.unsupported(type);
    };
  }
}
