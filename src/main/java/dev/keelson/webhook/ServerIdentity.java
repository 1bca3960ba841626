package dev.keelson.webhook;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Decides which server a certificate identifies, where it is not the host that is connected to. The
 * JDK compares the certificate with the address as well, so that a certificate for an IP address
 * would do for every Service.
 */
abstract sealed class ServerIdentity extends X509ExtendedTrustManager {

  /** Checks the certificates that a server sent, its own first. */
  abstract void check(X509Certificate[] chain, String type) throws CertificateException;

  /** Accepts every certificate. */
  static final class Any extends ServerIdentity {
    @Override
    void check(X509Certificate[] chain, String type) {
      // every server is accepted
    }
  }

  /** Accepts certificates of some authorities for one DNS name. */
  static final class Named extends ServerIdentity {

    private static final int DNS_NAME = 2;

    private final X509ExtendedTrustManager authorities;
    private final String name;

    Named(X509ExtendedTrustManager authorities, String name) {
      this.authorities = authorities;
      this.name = name.toLowerCase(Locale.ROOT);
    }

    @Override
    void check(X509Certificate[] chain, String type) throws CertificateException {
      authorities.checkServerTrusted(chain, type);
      List<String> names = dnsNames(chain[0]);
      if (names.stream().noneMatch(this::matches)) {
        throw new CertificateException(
            names.isEmpty()
                ? "certificate is not valid for any names, but wanted to match " + name
                : "certificate is valid for " + String.join(", ", names) + ", not " + name);
      }
    }

    private static List<String> dnsNames(X509Certificate certificate) throws CertificateException {
      List<String> names = new ArrayList<>();
      Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
      if (alternatives != null) {
        for (List<?> alternative : alternatives) {
          if (alternative.get(0).equals(DNS_NAME)) {
            names.add(String.valueOf(alternative.get(1)));
          }
        }
      }
      return names;
    }

    /** A wildcard stands for the whole first label (RFC 6125). */
    private boolean matches(String pattern) {
      String lower = pattern.toLowerCase(Locale.ROOT);
      int dot = name.indexOf('.');
      return lower.equals(name)
          || (lower.startsWith("*.") && dot > 0 && lower.substring(1).equals(name.substring(dot)));
    }
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
    check(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    check(chain, type);
  }

  @Override
  public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    check(chain, type);
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
