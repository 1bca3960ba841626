package dev.keelson.server.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Accepts every client certificate in the TLS handshake, which only proves that the client holds
 * its key. {@code authn.x509} verifies the certificate, so that an untrusted one gets a 401
 * response instead of a closed connection. The certificate request names the CAs, as kube-apiserver
 * does: clients that have certificates of several send one of these, most of them no other, and
 * browsers do not ask for one that would not be accepted.
 *
 * <p>{@code webhook.ServerIdentity} has the same six methods for the other side, as their JDK type
 * requires. They share no decision, and their packages nothing below them that knows TLS, so that a
 * common class would join no more than the signatures.
 */
public final class AnyClientTrustManager extends X509ExtendedTrustManager {

  private final Supplier<List<X509Certificate>> named;

  /** Names no CAs. */
  public AnyClientTrustManager() {
    this(List::of);
  }

  /**
   * @param named the CAs to name, now; called for each handshake
   */
  public AnyClientTrustManager(Supplier<List<X509Certificate>> named) {
    this.named = named;
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) {
    // see above
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
    // see above
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if a certificate cannot be parsed: those of a native engine are
   *     not before they are used
   */
  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
    for (X509Certificate certificate : chain) {
      int unused = certificate.getVersion();
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("this trust manager is for servers only");
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkServerTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return named.get().toArray(X509Certificate[]::new);
  }
}
