package dev.keelson.webhook;

import dev.keelson.pem.CommonName;
import dev.keelson.webhook.CertificateFlaw.Refused;
import java.net.InetAddress;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/**
 * Compares the names in a server's certificate with the host that was asked for, with the answers
 * of Go's {@code crypto/x509}.
 */
final class CertificateNames {

  private static final int DNS_NAME = 2;
  private static final int IP_ADDRESS = 7;
  private static final String SHA1_RSA = "SHA1withRSA";
  private static final String SHA1_ECDSA = "SHA1withECDSA";

  private CertificateNames() {}

  /**
   * Checks that a chain is for {@code host} and signed by nothing older than SHA-256. Says nothing
   * about who signed it.
   *
   * @param host a DNS name, or an IP address as text
   */
  static void check(X509Certificate[] chain, String host) throws CertificateException {
    X509Certificate leaf = chain[0];
    leaf.checkValidity();
    // an IPv6 address of a URL
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    if (isAddress(bare)) {
      checkAddress(leaf, bare);
    } else {
      checkName(leaf, host.toLowerCase(Locale.ROOT));
    }
    for (X509Certificate certificate : chain) {
      checkSignature(certificate);
    }
  }

  private static void checkName(X509Certificate leaf, String name) throws CertificateException {
    List<String> names = alternatives(leaf, DNS_NAME);
    if (names.stream().anyMatch(pattern -> matches(pattern, name))) {
      return;
    }
    if (leaf.getSubjectAlternativeNames() == null
        && matches(CommonName.of(leaf.getSubjectX500Principal()), name)) {
      throw new Refused(
          CertificateFlaw.MISSING_SAN,
          "certificate relies on legacy Common Name field, use SANs instead");
    }
    throw new CertificateException(
        names.isEmpty()
            ? "certificate is not valid for any names, but wanted to match " + name
            : "certificate is valid for " + String.join(", ", names) + ", not " + name);
  }

  private static void checkAddress(X509Certificate leaf, String address)
      throws CertificateException {
    InetAddress wanted = InetAddress.ofLiteral(address);
    List<String> addresses = alternatives(leaf, IP_ADDRESS);
    if (addresses.stream().anyMatch(each -> InetAddress.ofLiteral(each).equals(wanted))) {
      return;
    }
    throw new CertificateException(
        addresses.isEmpty()
            ? "cannot validate certificate for "
                + address
                + " because it doesn't contain any IP SANs"
            : "certificate is valid for " + String.join(", ", addresses) + ", not " + address);
  }

  private static void checkSignature(X509Certificate certificate) throws Refused {
    String algorithm =
        switch (certificate.getSigAlgName()) {
          case SHA1_RSA -> "SHA1-RSA";
          case SHA1_ECDSA -> "ECDSA-SHA1";
          default -> "";
        };
    // nobody verifies the signature of a root
    if (!algorithm.isEmpty()
        && !certificate.getIssuerX500Principal().equals(certificate.getSubjectX500Principal())) {
      throw new Refused(
          CertificateFlaw.INSECURE_SHA1,
          "certificate signed by unknown authority (possibly because of \"x509: cannot verify"
              + " signature: insecure algorithm "
              + algorithm
              + "\" while trying to verify candidate authority certificate \""
              + CommonName.of(certificate.getIssuerX500Principal())
              + "\")");
    }
  }

  private static List<String> alternatives(X509Certificate certificate, int type)
      throws CertificateException {
    List<String> names = new ArrayList<>();
    Collection<List<?>> alternatives = certificate.getSubjectAlternativeNames();
    if (alternatives != null) {
      for (List<?> alternative : alternatives) {
        if (alternative.get(0).equals(type)) {
          names.add(String.valueOf(alternative.get(1)));
        }
      }
    }
    return names;
  }

  /** A wildcard stands for the whole first label (RFC 6125). */
  private static boolean matches(String pattern, String name) {
    String lower = pattern.toLowerCase(Locale.ROOT);
    int dot = name.indexOf('.');
    return lower.equals(name)
        || (lower.startsWith("*.") && dot > 0 && lower.substring(1).equals(name.substring(dot)));
  }

  private static boolean isAddress(String host) {
    try {
      InetAddress unused = InetAddress.ofLiteral(host);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
