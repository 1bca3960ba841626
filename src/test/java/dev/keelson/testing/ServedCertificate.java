package dev.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** A TLS handshake without verification, which returns the serving certificate and the protocol. */
public final class ServedCertificate {

  private ServedCertificate() {}

  /**
   * The CommonName and so on of the certificate that a server shows.
   *
   * @param name the name to ask for, or empty
   */
  public static String subject(URI server, String name) {
    try (SSLSocket socket = open(server)) {
      if (!name.isEmpty()) {
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName(name)));
        socket.setSSLParameters(parameters);
      }
      socket.startHandshake();
      X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return shown.getSubjectX500Principal().getName();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A connection whose handshake has not begun. */
  public static SSLSocket open(URI server) throws IOException {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Everything()}, null);
      return (SSLSocket)
          context.getSocketFactory().createSocket(server.getHost(), server.getPort());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Everything extends X509ExtendedTrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {
      // see the class
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {
      // see the class
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      // see the class
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {
      // see the class
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {
      // see the class
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {
      // see the class
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
