package dev.keelson.server;

import dev.keelson.server.pki.Identity;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Hands the serving certificate to TLS. It is asked at every handshake, which is the place for a
 * certificate that replaces another one while the server runs.
 */
final class ServingKey extends X509ExtendedKeyManager {

  private static final String ALIAS = "serving";

  private final Identity identity;

  ServingKey(Identity identity) {
    this.identity = identity;
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    return keyType.equals(identity.key().getAlgorithm()) ? ALIAS : null;
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseEngineServerAlias(keyType, issuers, null);
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    return keyType.equals(identity.key().getAlgorithm()) ? new String[] {ALIAS} : new String[0];
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return identity.chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return identity.key();
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[0];
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
