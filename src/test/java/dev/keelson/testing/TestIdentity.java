package dev.keelson.testing;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A client certificate.
 *
 * @param key its private key
 * @param chain the certificate chain, leaf first
 */
public record TestIdentity(PrivateKey key, List<X509Certificate> chain) {

  private static final char[] NO_PASSWORD = new char[0];

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
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      own.setKeyEntry("own", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
      // this key manager always sends its certificate; the other would filter it
      KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
      keys.init(own, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust(authority).getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
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
