package dev.keelson.webhook;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Decides which server a certificate identifies, by the rules of Go's {@code crypto/x509}: the
 * JDK's own accept a common name in place of a subject alternative name, and compare the
 * certificate with the address as well, so that one for an IP address would do for every Service.
 */
abstract sealed class ServerIdentity extends X509ExtendedTrustManager {

  /**
   * Checks the certificates that a server sent, its own first.
   *
   * @param host the host that is connected to; null if the caller does not tell
   * @param engine the connection; null if it has none
   */
  abstract void check(
      X509Certificate[] chain, String type, @Nullable String host, @Nullable SSLEngine engine)
      throws CertificateException;

  /** Accepts every certificate. */
  static final class Any extends ServerIdentity {
    @Override
    void check(
        X509Certificate[] chain, String type, @Nullable String host, @Nullable SSLEngine engine) {
      // every server is accepted
    }
  }

  /** Accepts certificates of some authorities for one DNS name. */
  static final class Named extends ServerIdentity {

    private final X509ExtendedTrustManager authorities;
    private final String name;
    private final Consumer<CertificateFlaw> flaws;

    /**
     * @param flaws is told why a certificate is refused, if that is a flaw
     */
    Named(X509ExtendedTrustManager authorities, String name, Consumer<CertificateFlaw> flaws) {
      this.authorities = authorities;
      this.name = name;
      this.flaws = flaws;
    }

    @Override
    void check(
        X509Certificate[] chain, String type, @Nullable String host, @Nullable SSLEngine engine)
        throws CertificateException {
      try {
        CertificateNames.check(chain, name);
      } catch (CertificateFlaw.Refused e) {
        flaws.accept(e.flaw());
        throw e;
      }
      authorities.checkServerTrusted(chain, type);
    }
  }

  /** Accepts certificates of some authorities for the host that is connected to. */
  static final class OfHost extends ServerIdentity {

    private final X509ExtendedTrustManager authorities;

    OfHost(X509ExtendedTrustManager authorities) {
      this.authorities = authorities;
    }

    @Override
    void check(
        X509Certificate[] chain, String type, @Nullable String host, @Nullable SSLEngine engine)
        throws CertificateException {
      if (host == null) {
        throw new CertificateException("the host of the connection is not known");
      }
      CertificateNames.check(chain, host);
      if (engine == null) {
        authorities.checkServerTrusted(chain, type);
      } else {
        authorities.checkServerTrusted(chain, type, engine);
      }
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain, type, null, null);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    String host = socket instanceof SSLSocket tls ? tls.getHandshakeSession().getPeerHost() : null;
    check(chain, type, host, null);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain, type, engine.getPeerHost(), engine);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
    throw new CertificateException("this trust manager is for clients only");
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    checkClientTrusted(chain, type);
  }

  @Override
  public X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
