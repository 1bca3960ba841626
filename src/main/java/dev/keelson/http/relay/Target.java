package dev.keelson.http.relay;

import java.net.InetSocketAddress;

/**
 * A server that a request is passed on to.
 *
 * @param host its name, which its certificate is verified for; also in the header Host
 * @param port the port in the header Host
 * @param address what is connected to; unresolved
 * @param secure whether by TLS
 */
public record Target(String host, int port, InetSocketAddress address, boolean secure) {

  /** A server that is connected to by its own name. */
  public static Target of(String host, int port, boolean secure) {
    return new Target(host, port, InetSocketAddress.createUnresolved(host, port), secure);
  }
}
