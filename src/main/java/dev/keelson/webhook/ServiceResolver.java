package dev.keelson.webhook;

import java.net.InetSocketAddress;
import java.util.function.Supplier;

/**
 * Finds the address of a Service (source: kube-aggregator's {@code ServiceResolver}). Safe for use
 * by several threads; may block.
 */
@FunctionalInterface
public interface ServiceResolver {

  /**
   * The address to connect to now; calls may return different endpoints.
   *
   * @param port a port of the Service
   * @return a host, which is an IP address or the name of an ExternalName Service, and a port;
   *     unresolved
   * @throws UnresolvableServiceException if the Service or an endpoint is missing
   */
  InetSocketAddress resolve(String namespace, String name, int port)
      throws UnresolvableServiceException;

  /**
   * Resolves the Service {@code kubernetes} of the namespace {@code default} to this server itself,
   * and others by {@code others}.
   *
   * @param self the address at which this server listens
   */
  static ServiceResolver withLoopback(Supplier<InetSocketAddress> self, ServiceResolver others) {
    return (namespace, name, port) ->
        namespace.equals("default") && name.equals("kubernetes")
            ? self.get()
            : others.resolve(namespace, name, port);
  }
}
