package dev.keelson.server.identity;

import dev.keelson.authn.Authenticator;
import dev.keelson.authn.UnionAuthenticator;
import dev.keelson.authz.AuthorizationOptions;
import dev.keelson.authz.Authorizer;
import dev.keelson.authz.OpenPaths;
import dev.keelson.authz.UnionAuthorizer;
import dev.keelson.config.option.ComponentServing;
import dev.keelson.config.option.DelegatedAuthentication;
import dev.keelson.server.lifecycle.FileReloader;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who may read what a component serves: API servers authenticate and authorize its requests, by the
 * same classes as those of a server that delegates.
 */
public final class DelegatedAccess implements AutoCloseable {

  private final UnionAuthenticator authenticator;
  private final Authorizer authorizer;
  private final OpenPaths openPaths;
  private final @Nullable ExtensionApiserverAuthentication trust;

  private DelegatedAccess(
      UnionAuthenticator authenticator,
      Authorizer authorizer,
      OpenPaths openPaths,
      @Nullable ExtensionApiserverAuthentication trust) {
    this.authenticator = authenticator;
    this.authorizer = authorizer;
    this.openPaths = openPaths;
    this.trust = trust;
  }

  /**
   * Reads the kubeconfigs, and the authorities of the server that authenticates; blocks.
   *
   * @throws dev.keelson.server.lifecycle.StartupException if one cannot be read
   */
  public static DelegatedAccess of(
      ComponentServing options, FileReloader files, InstantSource clock) {
    List<Authenticator> chain = new ArrayList<>();
    ExtensionApiserverAuthentication trust = null;
    DelegatedAuthentication delegation = options.authentication();
    if (delegation != null) {
      FileReloader.Current<RemoteKubeconfig> cluster = Authenticators.cluster(delegation, files);
      if (!delegation.skipLookup()) {
        trust = new ExtensionApiserverAuthentication(cluster, List.of(), clock);
        trust.read(delegation);
        trust.start();
        chain.add(trust::proxied);
        chain.add(trust::client);
      }
      chain.add(Authenticators.reviews(delegation, cluster, clock));
    }
    AuthorizationOptions.Webhook server = options.authorization();
    List<Authorizer> authorizers =
        server == null ? List.of() : List.of(Authorizers.other(server, files, clock));
    return new DelegatedAccess(
        new UnionAuthenticator(chain, /* anonymousAllowed= */ true),
        new UnionAuthorizer(authorizers),
        new OpenPaths(options.openPaths()),
        trust);
  }

  public UnionAuthenticator authenticator() {
    return authenticator;
  }

  public Authorizer authorizer() {
    return authorizer;
  }

  public OpenPaths openPaths() {
    return openPaths;
  }

  @Override
  public void close() {
    if (trust != null) {
      trust.close();
    }
  }
}
