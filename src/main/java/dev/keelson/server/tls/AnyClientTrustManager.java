package dev.keelson.server.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Lets every client certificate through the TLS handshake, which only proves that the client holds
 * its key. Whether it means anything is decided by {@code authn.x509}, so that a foreign
 * certificate ends as an answer 401 and not as a broken connection. No authorities are named in the
 * request for a certificate either, since clients would then keep others back.
 */
public final class AnyClientTrustManager extends X509ExtendedTrustManager {

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) {
    // see above
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
    // see above
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
    // see above
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("this trust manager is for a server");
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
    return new X509Certificate[0];
  }
}
