package dev.keelson.config.option;

import dev.keelson.value.Cidr;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The listener, its certificate and the shutdown.
 *
 * @param bindAddress the address to listen on
 * @param port the port; 0 chooses a free one
 * @param advertiseAddress the advertised address; null for the bind address
 * @param certDir the directory of generated certificates
 * @param given the configured serving certificate; null if it is generated
 * @param extraNames additional DNS names or IP addresses of the generated certificate
 * @param serviceRanges the Service ranges: one, or one of each IP family, the preferred one first
 * @param nodePorts the node port range
 * @param shutdown how the server stops
 * @param tls the TLS options
 * @param plain plain HTTP
 */
public record ServingOptions(
    InetAddress bindAddress,
    int port,
    @Nullable InetAddress advertiseAddress,
    Path certDir,
    @Nullable KeyPairFiles given,
    List<String> extraNames,
    List<Cidr> serviceRanges,
    PortRange nodePorts,
    ShutdownOptions shutdown,
    TlsOptions tls,
    PlainHttp plain) {

  public ServingOptions {
    extraNames = List.copyOf(extraNames);
    serviceRanges = List.copyOf(serviceRanges);
  }

  /** Returns the preferred Service range. */
  public Cidr serviceRange() {
    return serviceRanges.getFirst();
  }

  /**
   * Plain HTTP, for platforms that end TLS themselves.
   *
   * @param port the port; 0 for none
   * @param trustedProxies whose X-Forwarded-For and X-Real-Ip are believed; empty for everybody's
   *     over HTTPS, and nobody's over plain HTTP
   */
  public record PlainHttp(int port, List<Cidr> trustedProxies) {

    public PlainHttp {
      trustedProxies = List.copyOf(trustedProxies);
    }

    /** Whether plain HTTP is served. */
    public boolean served() {
      return port > 0;
    }
  }
}
