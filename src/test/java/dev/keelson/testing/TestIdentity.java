package dev.keelson.testing;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A client certificate.
 *
 * @param key its private key
 * @param chain the certificate chain, leaf first
 */
public record TestIdentity(PrivateKey key, List<X509Certificate> chain) {

  public TestIdentity {
    chain = List.copyOf(chain);
  }

  /** Returns this identity with additional certificates in the chain. */
  public TestIdentity with(X509Certificate... more) {
    List<X509Certificate> all = new ArrayList<>(chain);
    all.addAll(List.of(more));
    return new TestIdentity(key, all);
  }

  /** A TLS context that trusts {@code authority}, without a client certificate. */
  public static SSLContext nobody(X509Certificate authority) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust(authority).getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static TrustManagerFactory trust(X509Certificate authority)
      throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", authority);
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(trusted);
    return trust;
  }

  /** A TLS context that trusts {@code authority}, with this client certificate. */
  public SSLContext trusting(X509Certificate authority) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new Shown(this)}, trust(authority).getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends the certificate whatever CAs the server names, as OpenSSL does and the JDK does not. */
  private static final class Shown extends X509ExtendedKeyManager {

    private final TestIdentity identity;

    Shown(TestIdentity identity) {
      this.identity = identity;
    }

    private @Nullable String alias(String... types) {
      return List.of(types).contains(identity.key.getAlgorithm()) ? "own" : null;
    }

    @Override
    public String[] getClientAliases(String type, Principal @Nullable [] issuers) {
      String alias = alias(type);
      return alias == null ? new String[0] : new String[] {alias};
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return alias(types);
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
        String[] types, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
      return alias(types);
    }

    @Override
    public String[] getServerAliases(String type, Principal @Nullable [] issuers) {
      return new String[0];
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, @Nullable Socket socket) {
      return null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return identity.chain.toArray(X509Certificate[]::new);
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return identity.key;
    }
  }

  /** The certificates in PEM. */
  public String certificatePem() {
    StringBuilder text = new StringBuilder();
    chain.forEach(one -> text.append(pem(one)));
    return text.toString();
  }

  /** The key in PEM. */
  public String keyPem() {
    return pem("PRIVATE KEY", key.getEncoded());
  }

  static String pem(X509Certificate certificate) {
    try {
      return pem("CERTIFICATE", certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), what);
  }
}
