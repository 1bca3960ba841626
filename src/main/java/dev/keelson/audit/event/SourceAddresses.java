package dev.keelson.audit.event;

import dev.keelson.value.IpAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The source IPs of a request: the valid addresses of {@code X-Forwarded-For} in order, then {@code
 * X-Real-Ip} unless it is among them, then the peer's address unless it is the last one (source:
 * apimachinery, util/net.SourceIPs). Only the peer's address cannot be forged by the client.
 */
public final class SourceAddresses {

  private SourceAddresses() {}

  /**
   * The addresses in canonical form.
   *
   * @param forwardedFor the first {@code X-Forwarded-For} header, or empty
   * @param realIp the first {@code X-Real-Ip} header, or empty
   * @param peer the peer's address, with or without a port; empty if unknown
   */
  public static List<String> of(String forwardedFor, String realIp, String peer) {
    List<String> addresses = new ArrayList<>(2);
    if (!forwardedFor.isEmpty()) {
      for (String part : forwardedFor.split(",", -1)) {
        String address = canonical(part.strip());
        if (address != null) {
          addresses.add(address);
        }
      }
    }
    if (!realIp.isEmpty()) {
      String address = canonical(realIp);
      if (address != null && !addresses.contains(address)) {
        addresses.add(address);
      }
    }
    String remote = canonical(host(peer));
    if (remote != null && (addresses.isEmpty() || !addresses.getLast().equals(remote))) {
      addresses.add(remote);
    }
    return addresses;
  }

  /** The host of an address with a port; IPv6 may come without brackets. */
  private static String host(String peer) {
    if (peer.startsWith("[")) {
      int end = peer.indexOf(']');
      return end < 0 ? peer : peer.substring(1, end);
    }
    int colon = peer.lastIndexOf(':');
    boolean isAddress = colon < 0 || IpAddress.tryParse(peer).isPresent();
    return isAddress ? peer : peer.substring(0, colon);
  }

  private static @Nullable String canonical(String text) {
    return IpAddress.tryParse(text).map(IpAddress::toString).orElse(null);
  }
}
