package dev.keelson.webhook;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.value.HostPort;

/**
 * A reference to a Service (source: {@code ServiceReference} of apiextensions,
 * admissionregistration and apiregistration).
 *
 * @param path the path of the URL, or empty
 * @param port the port of the Service
 */
public record ServiceReference(String namespace, String name, String path, int port) {

  private static final int DEFAULT_PORT = 443;

  /** Reads a reference; a missing port is 443. */
  public static ServiceReference of(MapNode service) {
    int port = service.get("port") instanceof Node.Int number ? (int) number.value() : DEFAULT_PORT;
    return new ServiceReference(
        service.text("namespace"),
        service.text("name"),
        service.text("path"),
        port == 0 ? DEFAULT_PORT : port);
  }

  /** The name that the server's certificate must have: {@code NAME.NAMESPACE.svc}. */
  public String serverName() {
    return name + "." + namespace + ".svc";
  }

  /** The server name and the port. */
  public String authority() {
    return HostPort.join(serverName(), Integer.toString(port));
  }
}
