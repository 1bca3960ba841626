package dev.keelson.schema.validation.core;

import dev.keelson.schema.validation.Value;

/** Addresses of endpoints, which Endpoints and EndpointSlices have. */
public final class EndpointAddresses {
  private EndpointAddresses() {}

  /** Rejects an address that no service or pod can have (ValidateEndpointIP). */
  public static void validateEndpointIp(Value ip) {
    String text = ip.text();
    if (text.equals("0.0.0.0") || text.equals("::")) {
      ip.invalid("may not be unspecified (" + text + ")");
    } else if (text.startsWith("127.") || text.equals("::1")) {
      ip.invalid("may not be in the loopback range (127.0.0.0/8, ::1/128)");
    } else if (text.startsWith("169.254.") || text.startsWith("fe80:")) {
      ip.invalid("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
    } else if (text.startsWith("224.0.0.") || text.startsWith("ff02:")) {
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
