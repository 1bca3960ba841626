package dev.keelson.config.option;

import dev.keelson.value.Cidr;
import java.util.List;

/**
 * Plain HTTP, for platforms that end TLS themselves.
 *
 * @param port the port; 0 for none
 * @param trustedProxies whose X-Forwarded-For and X-Real-Ip are believed; empty for everybody's
 *     over HTTPS, and nobody's over plain HTTP
 */
public record PlainHttpOptions(int port, List<Cidr> trustedProxies) {

  public PlainHttpOptions {
    trustedProxies = List.copyOf(trustedProxies);
  }

  /** Whether plain HTTP is served. */
  public boolean served() {
    return port > 0;
  }
}
