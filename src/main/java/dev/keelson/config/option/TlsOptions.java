package dev.keelson.config.option;

import java.util.List;

/**
 * TLS and HTTP/2 settings of the listener.
 *
 * @param protocols the versions of TLS, as JSSE names them
 * @param cipherSuites the suites for TLS 1.2 and the ones for TLS 1.3; empty for the JDK's choice
 * @param named certificates for some host names
 * @param maxStreams maximum number of concurrent requests of one HTTP/2 connection
 */
public record TlsOptions(
    List<String> protocols, List<String> cipherSuites, List<Named> named, int maxStreams) {

  /**
   * A certificate for some host names.
   *
   * @param patterns the names, perhaps with {@code *} for their first part; empty for the names in
   *     the certificate
   */
  public record Named(KeyPairFiles files, List<String> patterns) {
    public Named {
      patterns = List.copyOf(patterns);
    }
  }

  public TlsOptions {
    protocols = List.copyOf(protocols);
    cipherSuites = List.copyOf(cipherSuites);
    named = List.copyOf(named);
  }
}
