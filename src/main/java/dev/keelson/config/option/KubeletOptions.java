package dev.keelson.config.option;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the server connects to kubelets.
 *
 * @param client the certificate that it shows; null for none
 * @param authority the CA of the kubelets' certificates, which are not verified without one
 * @param addressTypes the types of a node's addresses, the preferred first
 * @param timeout how long a connection and its TLS handshake may take
 * @param port the port of nodes that do not report theirs
 * @param localAddresses whether nodes may have loopback and link-local addresses
 */
public record KubeletOptions(
    @Nullable KeyPairFiles client,
    @Nullable Path authority,
    List<String> addressTypes,
    Duration timeout,
    int port,
    boolean localAddresses) {

  public KubeletOptions {
    addressTypes = List.copyOf(addressTypes);
  }
}
