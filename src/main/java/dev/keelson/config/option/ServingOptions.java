package dev.keelson.config.option;

import dev.keelson.value.Cidr;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the server listens, with which certificate, and how it goes down.
 *
 * @param bindAddress the address to listen on
 * @param port the port; 0 is a free one
 * @param advertiseAddress what others reach the server by; null is the bind address
 * @param certDir where the certificates are kept that the server makes
 * @param given a serving certificate from elsewhere; null if the server makes it
 * @param extraNames more DNS names or IP addresses for the certificate
 * @param serviceRanges the addresses for Services: one range, or one of each IP family, the
 *     preferred one first
 * @param nodePorts the ports of nodes for Services
 * @param shutdownDelay how long to go on serving while not ready
 * @param shutdownGrace how long running requests may take to finish after that
 * @param tls how connections are secured
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
    Duration shutdownDelay,
    Duration shutdownGrace,
    TlsOptions tls) {

  public ServingOptions {
    extraNames = List.copyOf(extraNames);
    serviceRanges = List.copyOf(serviceRanges);
  }

  /** The preferred one of the ranges for Services. */
  public Cidr serviceRange() {
    return serviceRanges.getFirst();
  }
}
