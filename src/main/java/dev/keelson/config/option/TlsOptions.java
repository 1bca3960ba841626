package dev.keelson.config.option;

import java.util.List;

/**
 * TLS and HTTP/2 settings of the listener.
 *
 * @param protocols the TLS versions as JSSE names them
 * @param cipherSuites the cipher suites of TLS 1.2 and 1.3, of which the JDK need not have all;
 *     empty for the JDK's defaults
 * @param named certificates by server name indication
 * @param maxStreams maximum number of concurrent requests of one HTTP/2 connection
 * @param implementation what encrypts the connections of clients
 */
public record TlsOptions(
    List<String> protocols,
    List<String> cipherSuites,
    List<Named> named,
    int maxStreams,
    Implementation implementation) {

  /** What encrypts the connections of clients. */
  public enum Implementation {
    /** BoringSSL, where it can be loaded and verifies the clients' kinds of keys. */
    AUTO,
    /** The JDK's own. */
    JAVA
  }

  /**
   * A certificate for host names.
   *
   * @param patterns host names, with a wildcard {@code *} as first label allowed; empty for the
   *     names of the certificate
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
