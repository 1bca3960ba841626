package dev.keelson.server.tls;

import java.security.NoSuchAlgorithmException;
import java.util.List;
import javax.net.ssl.SSLContext;

/**
 * Which of the named cipher suites the TLS of the JDK has. Asking for one initializes it; without
 * suites nothing is asked.
 */
public final class CipherSuites {

  private CipherSuites() {}

  /** Those of {@code named} that can be used, in their order. */
  public static List<String> offered(List<String> named) {
    if (named.isEmpty()) {
      return List.of();
    }
    List<String> supported = supported();
    return named.stream().filter(supported::contains).toList();
  }

  /** Those of {@code named} that cannot be used, in their order. */
  public static List<String> missing(List<String> named) {
    List<String> offered = offered(named);
    return named.stream().filter(suite -> !offered.contains(suite)).toList();
  }

  private static List<String> supported() {
    try {
      return List.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
  }
}
