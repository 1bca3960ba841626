package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.Value;
import dev.keelson.value.IpAddress;
import java.net.InetAddress;

/** Addresses of endpoints, which Endpoints and EndpointSlices have. */
public final class EndpointAddresses {
  private EndpointAddresses() {}

  /** Rejects an address that no service or pod can have (ValidateEndpointIP). */
  public static void validateEndpointIp(Value ip) {
    String text = ip.text();
    InetAddress address = IpAddress.tryParse(text).map(IpAddress::address).orElse(null);
    if (address == null) {
      return;
    }
    byte[] bytes = address.getAddress();
    boolean isOld = bytes.length == 4;
    if (address.isAnyLocalAddress()) {
      ip.invalid("may not be unspecified (" + text + ")");
    }
    if (address.isLoopbackAddress()) {
      ip.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
    }
    if (address.isLinkLocalAddress()) {
      ip.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    }
    if (isOld
        ? bytes[0] == (byte) 224 && bytes[1] == 0 && bytes[2] == 0
        : bytes[0] == (byte) 0xff && (bytes[1] & 0x0f) == 2) {
      ip.invalid("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
    }
  }

  /**
   * Whether these are the endpoints of this server itself. It may listen on the loopback address
   * alone, on a developer's machine.
   */
  public static boolean isMasterService(Value object) {
    return object.get("metadata", "name").is("kubernetes")
        && object.get("metadata", "namespace").is("default");
  }
}
