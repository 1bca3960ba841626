package dev.keelson.http.connection;

import dev.keelson.http.ApiRequest;
import dev.keelson.value.Cidr;
import dev.keelson.value.IpAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Whose {@code X-Forwarded-For} and {@code X-Real-Ip} are believed. They end up in audit events and
 * in requests to extension servers. kube-apiserver believes every client over HTTPS; with a list of
 * proxies, and for plain HTTP always, only the proxies are believed.
 *
 * @param proxies the addresses of the trusted proxies; empty if none is named
 */
public record ForwardedAddresses(List<Cidr> proxies) {

  /** No proxy is named: who connects by TLS is believed. */
  public static final ForwardedAddresses OF_TLS = new ForwardedAddresses(List.of());

  private static final String FORWARDED_FOR = "x-forwarded-for";
  private static final String REAL_IP = "x-real-ip";

  public ForwardedAddresses {
    proxies = List.copyOf(proxies);
  }

  /**
   * The request without the addresses that its client may not tell.
   *
   * @param peer the address of the client's end of the connection, without a port
   * @param tls whether the connection is encrypted
   */
  ApiRequest believed(ApiRequest request, String peer, boolean tls) {
    boolean told =
        request.headers().containsKey(FORWARDED_FOR) || request.headers().containsKey(REAL_IP);
    if (!told || believes(peer, tls)) {
      return request;
    }
    Map<String, List<String>> rest = new HashMap<>(request.headers());
    rest.remove(FORWARDED_FOR);
    rest.remove(REAL_IP);
    return request.withHeaders(rest);
  }

  private boolean believes(String peer, boolean tls) {
    if (proxies.isEmpty()) {
      return tls;
    }
    return IpAddress.tryParse(peer)
        .map(address -> proxies.stream().anyMatch(proxy -> proxy.contains(address)))
        .orElse(false);
  }
}
