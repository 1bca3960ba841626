package dev.keelson.server.identity;

import dev.keelson.server.tls.Certificates;
import dev.keelson.webhook.ClientIdentity;
import dev.keelson.webhook.Credentials;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The credentials for webhooks that this server serves itself, as an aggregated API: it calls them
 * as its administrator, whatever the kubeconfig says, and trusts its own authority (source:
 * apiserver, {@code NewDefaultAuthenticationInfoResolverWrapper}).
 */
public final class LoopbackCredentials implements Credentials {

  private static final String SELF = "kubernetes.default.svc:443";

  private final Certificates certificates;
  private final Credentials others;

  /** Made for the first call, and then always the same. */
  private final AtomicReference<@Nullable ClientIdentity> own = new AtomicReference<>();

  /**
   * @param certificates those of this server
   * @param others the credentials for all other webhooks
   */
  public LoopbackCredentials(Certificates certificates, Credentials others) {
    this.certificates = certificates;
    this.others = others;
  }

  @Override
  public ClientIdentity of(String target) {
    return target.equals(SELF) ? own() : others.of(target);
  }

  private ClientIdentity own() {
    ClientIdentity known = own.get();
    if (known != null) {
      return known;
    }
    ClientIdentity made =
        new ClientIdentity(
            KubeconfigEntries.identity(
                certificates.pki().admin().key(), certificates.pki().admin().chain()),
            Map.of(),
            certificates.trustedPem());
    return own.compareAndSet(null, made) ? made : own();
  }
}
