package dev.keelson.config.option;

import dev.keelson.authz.AuthorizationOptions.Webhook;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The port of a component that runs alone, and who may read what it serves there.
 *
 * @param bindAddress the address to listen on
 * @param port the port; 0 serves nothing
 * @param given the serving certificate; null for one that signs itself
 * @param authentication the server that authenticates; null leaves everybody anonymous
 * @param authorization the server that authorizes; null allows open paths and {@code
 *     system:masters} alone
 * @param openPaths paths that are served without authorization; a trailing {@code *} matches any
 *     suffix
 */
public record ComponentServing(
    InetAddress bindAddress,
    int port,
    @Nullable KeyPairFiles given,
    @Nullable DelegatedAuthentication authentication,
    @Nullable Webhook authorization,
    List<String> openPaths) {

  public ComponentServing {
    openPaths = List.copyOf(openPaths);
  }
}
