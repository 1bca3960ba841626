package dev.keelson.server;

import dev.keelson.config.option.ServingOptions;
import dev.keelson.controller.bootstrap.SystemObjects;
import dev.keelson.server.pki.Kubeconfig;
import java.net.InetAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The advertised address of this server; the port is known once it listens. */
final class ServerAddress {

  private final ServingOptions options;
  private final @Nullable String external;

  /** 0 until the server listens. */
  private volatile int port;

  /**
   * @param external the host name in documents, possibly with a port; null for the address
   */
  ServerAddress(ServingOptions options, @Nullable String external) {
    this.options = options;
    this.external = external;
  }

  /** Sets the port that the server listens on. */
  void listening(int port) {
    this.port = port;
  }

  int port() {
    return port;
  }

  /** The advertised address, else the bound one, else the loopback of its family. */
  InetAddress host() {
    InetAddress advertised = options.advertiseAddress();
    if (advertised != null) {
      return advertised;
    }
    InetAddress bound = options.bindAddress();
    if (!bound.isAnyLocalAddress()) {
      return bound;
    }
    return InetAddress.ofLiteral(bound.getAddress().length == 4 ? "127.0.0.1" : "::1");
  }

  String url() {
    return Kubeconfig.url(host(), port);
  }

  /** Host and port for discovery. */
  String authority() {
    String named = external;
    if (named != null) {
      return named.matches(".*:\\d+") ? named : named + ":" + port;
    }
    return URI.create(url()).getAuthority();
  }

  /** The address for the endpoints of the Service {@code kubernetes}. */
  SystemObjects.Place place() {
    return new SystemObjects.Place(
        options.serviceRange().get(1).toString(), host().getHostAddress(), port);
  }
}
