package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.http.relay.Target;
import dev.keelson.value.IpAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/**
 * Which addresses requests may go to. Whoever writes a Node, Pod or EndpointSlice chooses an
 * address, but not one of this server's own host or link, where services trust their neighbours
 * (source: apiserver's {@code IsProxyableIP}; CVE-2020-8561, CVE-2020-8562).
 *
 * @param local whether kubelets may have loopback and link-local addresses
 */
public record AddressRule(boolean local) {

  private static final String REFUSED = "address not allowed";

  /**
   * The address of a pod or an endpoint.
   *
   * @param ip an IP address
   * @throws ApiException BadRequest if it is none that may be connected to
   */
  static Target remote(String ip, int port, boolean secure) {
    if (IpAddress.tryParse(ip).filter(IpAddress::isGlobalUnicast).isEmpty()) {
      throw ApiException.badRequest(REFUSED);
    }
    return Target.of(ip, port, secure);
  }

  /**
   * The address of a kubelet. Its name is resolved once: what is checked is what is connected to.
   *
   * @throws ApiException BadRequest if it may not be connected to
   * @throws UnknownHostException if the name has no address
   */
  Target kubelet(String host, int port, boolean secure) throws UnknownHostException {
    InetAddress address =
        IpAddress.tryParse(host).isPresent()
            ? IpAddress.parse(host).address()
            : InetAddress.getByName(host);
    IpAddress found = new IpAddress(address);
    boolean own = found.isLoopback() || found.isLinkLocalUnicast();
    if (!found.isGlobalUnicast() && !(local && own)) {
      throw ApiException.badRequest(REFUSED);
    }
    return new Target(
        host, port, InetSocketAddress.createUnresolved(address.getHostAddress(), port), secure);
  }
}
