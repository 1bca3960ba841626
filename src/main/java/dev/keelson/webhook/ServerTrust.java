package dev.keelson.webhook;

import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Consumer;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** TLS contexts for connections to other servers: which servers are trusted, and who we are. */
public final class ServerTrust {

  private ServerTrust() {}

  /**
   * A context for servers with certificates of a CA bundle.
   *
   * @param caBundle certificates in PEM; empty for the system's
   * @param identity the client's key and certificate with an empty password; null for none
   * @throws IOException if the bundle has no certificate; the message is kube-apiserver's
   */
  public static SSLContext of(String caBundle, @Nullable KeyStore identity) throws IOException {
    return of(authorities(caBundle), identity);
  }

  private static List<X509Certificate> authorities(String caBundle) throws IOException {
    try {
      return caBundle.isEmpty() ? List.of() : PemCertificates.parse("caBundle", caBundle);
    } catch (PemException e) {
      throw new IOException(
          "unable to load root certificates: unable to parse bytes as PEM block", e);
    }
  }

  /**
   * A context for servers with certificates of these authorities.
   *
   * @param authorities the trusted authorities; empty for the system's
   * @param identity the client's key and certificate with an empty password; null for none
   */
  public static SSLContext of(List<X509Certificate> authorities, @Nullable KeyStore identity) {
    try {
      ServerIdentity server = new ServerIdentity.OfHost(trusting(authorities));
      return context(new TrustManager[] {server}, identity);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot create the TLS context: " + e.getMessage(), e);
    }
  }

  /**
   * A context for one server that is reached by an address and identified by another name.
   *
   * @param caBundle certificates in PEM; empty for the system's
   * @param serverName the DNS name that the server's certificate must have
   * @param identity the client's key and certificate with an empty password; null for none
   * @throws IOException if the bundle has no certificate; the message is kube-apiserver's
   */
  public static SSLContext named(String caBundle, String serverName, @Nullable KeyStore identity)
      throws IOException {
    return named(authorities(caBundle), serverName, identity);
  }

  /**
   * A context for one server that is reached by an address and identified by another name.
   *
   * @param authorities the trusted authorities; empty for the system's
   * @param serverName the name or address that the server's certificate must have
   * @param identity the client's key and certificate with an empty password; null for none
   */
  public static SSLContext named(
      List<X509Certificate> authorities, String serverName, @Nullable KeyStore identity) {
    try {
      ServerIdentity server =
          // whoever calls counts what is refused
          new ServerIdentity.Named(trusting(authorities), serverName, flaw -> {});
      return context(new TrustManager[] {server}, identity);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("cannot create the TLS context: " + e.getMessage(), e);
    }
  }

  /**
   * A trust manager for one server that is identified by a DNS name, whatever its address. The
   * caller must not compare the certificate with the host as well.
   *
   * @param caBundle certificates in PEM; empty for the system's
   * @param serverName the DNS name that the server's certificate must have
   * @param flaws is told the flaw of each certificate that is refused for one
   * @throws IOException if the bundle has no certificate; the message is kube-apiserver's
   */
  public static X509TrustManager manager(
      String caBundle, String serverName, Consumer<CertificateFlaw> flaws) throws IOException {
    try {
      return new ServerIdentity.Named(trusting(authorities(caBundle)), serverName, flaws);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot create the trust: " + e.getMessage(), e);
    }
  }

  /**
   * A context for any server, whatever its certificate ({@code insecureSkipTLSVerify}).
   *
   * @param identity the client's key and certificate with an empty password; null for none
   */
  public static SSLContext insecure(@Nullable KeyStore identity) {
    try {
      return context(new TrustManager[] {new ServerIdentity.Any()}, identity);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("cannot create the TLS context: " + e.getMessage(), e);
    }
  }

  /** The one trust manager of these authorities, or of the system's if there are none. */
  private static X509ExtendedTrustManager trusting(List<X509Certificate> authorities)
      throws GeneralSecurityException, IOException {
    TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
    KeyStore store = null;
    if (!authorities.isEmpty()) {
      store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (int i = 0; i < authorities.size(); i++) {
        store.setCertificateEntry("authority-" + i, authorities.get(i));
      }
    }
    factory.init(store);
    return (X509ExtendedTrustManager) factory.getTrustManagers()[0];
  }

  private static SSLContext context(TrustManager[] trust, @Nullable KeyStore identity)
      throws GeneralSecurityException {
    KeyManager[] keys = null;
    if (identity != null) {
      KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
      factory.init(identity, new char[0]);
      keys = factory.getKeyManagers();
    }
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys, trust, null);
    return context;
  }
}
